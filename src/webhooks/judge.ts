import type { Settings } from '../domain/choices/settings.ts'
import { maskedUrl, withSecretsMasked } from '../domain/journal/masking.ts'
import { oneLine } from '../domain/text/issue-words.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptResult, ClaimedDelivery } from '../domain/webhook/delivery.ts'
import { nextCopyAt, overrideWords } from '../domain/webhook/faults/attempt-faults.ts'
import type { AttemptFaults } from '../domain/webhook/faults/faults.ts'
import { nextAttemptAt, retryAfterMs, retryPolicy } from '../domain/webhook/retry.ts'
import { wallNow } from '../time/wall.ts'
import type { Answer } from './exchange.ts'

/** The number of bytes of an answer's body that an attempt stores. */
const keptBytes = 4 * 1024

/** Judges an answer, or the one that a fault puts in its place: outcome, retry, and record of the attempt (N44,
 *  N45).
 *  @param around `mask` hides the client's secrets, which receivers may send back */
export function judge(
  delivery: ClaimedDelivery,
  requestHeaders: Record<string, string>,
  received: Answer,
  context: { settings: Settings; faults: AttemptFaults; now: EpochMs; mask: (text: string) => string },
): AttemptResult {
  const { settings, faults, now, mask } = context
  const answer = counted(received, faults, delivery)
  const { status, ms, body } = answer
  const accepted = status !== null && isAccepted(status, settings)
  return {
    outcome: outcomeOf(answer, accepted),
    status,
    ms,
    responseBody: body === null ? null : Buffer.from(mask(body)).subarray(0, keptBytes).toString(),
    error: answer.error === null ? redirectWords(answer, mask) : mask(answer.error),
    // Signatures stay: they are compared when a mistake is looked for.
    requestHeaders: withSecretsMasked(requestHeaders),
    next: accepted ? afterAccepted(delivery, now) : afterRefused(delivery, answer, settings, now),
  }
}

function afterAccepted({ plan, accepted = 0 }: ClaimedDelivery, now: EpochMs): AttemptResult['next'] {
  const copyAt = nextCopyAt(plan, accepted, now)
  return copyAt === null ? { status: 'delivered' } : { status: 'pending', dueAt: copyAt }
}

function afterRefused(
  delivery: ClaimedDelivery,
  answer: Answer,
  settings: Settings,
  now: EpochMs,
): AttemptResult['next'] {
  if (answer.status === 410 && settings['webhook.gone'] === 'give-up') return { status: 'dead' }
  const retry = retryPolicy(settings, delivery.plan)
  const dueAt = nextAttemptAt(delivery.attempt, now, retry, retryAfterMs(answer.retryAfter, wallNow()))
  return dueAt === null ? { status: 'dead' } : { status: 'pending', dueAt }
}

/** Describes a redirect, which is not followed. */
function redirectWords({ status, location }: Answer, mask: (text: string) => string): string | null {
  if (status === null || status < 300 || status > 399 || location === undefined) return null
  // Masked first: no half of a secret is left where it is cut.
  const target = oneLine(mask(maskedUrl(location)))
  return `redirected to ${target}; redirects are not followed, so register the final URL`
}

/** The result of an attempt that a planned fault drops: nothing was sent, and nothing will be. */
export const dropped: AttemptResult = {
  outcome: 'connection',
  status: null,
  ms: 0,
  requestHeaders: {},
  responseBody: null,
  error: 'not sent, on purpose',
  next: { status: 'dead' },
}

/** The answer in place of one to an attempt that is lost on purpose. */
export const lost: Answer = {
  outcome: 'connection',
  status: null,
  ms: 0,
  body: null,
  error: 'lost on the way, on purpose',
  retryAfter: undefined,
  location: undefined,
}

/** Applies faults to an answer. A connection that was cut on purpose has none, however fast the receiver was. */
function counted(
  answer: Answer,
  { countAs, cut }: AttemptFaults,
  { plan, attempt }: ClaimedDelivery,
): Answer {
  if (answer.status === null) return answer
  if (cut !== undefined) {
    return { ...answer, outcome: 'connection', status: null, body: null, error: 'cut, on purpose' }
  }
  if (countAs === undefined || countAs === answer.status) return answer
  return { ...answer, status: countAs, error: overrideWords(plan, attempt, answer.status) }
}

function outcomeOf(answer: Answer, accepted: boolean): AttemptResult['outcome'] {
  if (answer.outcome !== 'answered') return answer.outcome
  return accepted ? 'accepted' : 'refused'
}

function isAccepted(status: number, settings: Settings): boolean {
  return settings['webhook.accept'].some(
    (one) => one === status || (one === '2xx' && status >= 200 && status < 300),
  )
}
