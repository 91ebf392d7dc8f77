import type { Settings } from '../domain/choices.ts'
import type { AttemptResult, ClaimedDelivery } from '../domain/delivery.ts'
import { nextAttemptAt, retryAfterMs } from '../domain/retry.ts'
import type { EpochMs } from '../domain/time.ts'
import { wallNow } from '../time/wall.ts'
import type { Answer } from './exchange.ts'

/** What an answer means for its delivery (N44, N45). */
export function judge(
  delivery: ClaimedDelivery,
  requestHeaders: Record<string, string>,
  answer: Answer,
  { settings, now }: { settings: Settings; now: EpochMs },
): AttemptResult {
  const { status, ms, body: responseBody, error } = answer
  const accepted = status !== null && isAccepted(status, settings)
  const facts = { outcome: outcomeOf(answer, accepted), status, ms, requestHeaders, responseBody, error }
  if (accepted) return { ...facts, next: { status: 'delivered' } }
  const retry = {
    max: settings['webhook.retry.max'],
    baseMs: settings['webhook.retry.base'],
    capMs: settings['webhook.retry.cap'],
  }
  const dueAt = nextAttemptAt(delivery.attempt, now, retry, retryAfterMs(answer.retryAfter, wallNow()))
  return { ...facts, next: dueAt === null ? { status: 'dead' } : { status: 'pending', dueAt } }
}

function outcomeOf(answer: Answer, accepted: boolean): AttemptResult['outcome'] {
  if (answer.outcome !== 'answered') return answer.outcome
  return accepted ? 'accepted' : 'refused'
}

function isAccepted(status: number, settings: Settings): boolean {
  return settings['webhook.accept'] === '200' ? status === 200 : status >= 200 && status < 300
}
