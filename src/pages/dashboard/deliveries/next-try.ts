import { parseDuration, spanWords } from '../../../domain/text/duration.ts'
import { nextAttemptAt, type RetryPolicy } from '../../../domain/webhook/retry.ts'

/** The facts that decide about the next attempt of a delivery. */
interface RetryState {
  readonly status: 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'
  readonly dueAt: number | null
  readonly attempts: readonly { readonly outcome: string; readonly error: string | null }[]
  readonly plan: { readonly attempts?: number | undefined } | null
  /** Why the client's webhooks are paused; null if they are not. */
  readonly paused: string | null
  /** The id of the older delivery that this one waits for. */
  readonly waitsFor?: string | undefined
  readonly policy: RetryPolicy
}

/** Why a client's webhooks are paused, as the beginning of a sentence; null if they are not. */
export const pauseWords = ({ webhookPaused, pausedAfter }: PausedClient): string | null => {
  if (!webhookPaused) return null
  return pausedAfter === undefined
    ? 'The endpoint has answered 410'
    : `The endpoint has failed ${pausedAfter} times in a row (setting webhook.disableAfter)`
}

interface PausedClient {
  readonly webhookPaused?: true | undefined
  readonly pausedAfter?: number | undefined
}

const most = 6

/** Explains the next attempt of a delivery in a sentence or two. */
export function nextTryWords(retryState: RetryState): string {
  const { status, attempts, dueAt, paused, waitsFor } = retryState
  const last = attempts.at(-1)
  if (status === 'delivered') return 'It was accepted. Nothing more will be sent.'
  if (status === 'skipped')
    return 'No webhook URL was registered when it was due, so nothing was sent. Register a URL, then send it again.'
  if (status === 'dead') return deadWords(retryState)
  if (status === 'held') return 'A hold delays it. It is sent when the hold is released.'
  if (paused !== null) return `${paused}, so nothing is sent until its URL is set again.`
  if (waitsFor !== undefined)
    return `It waits for ${waitsFor}, which is older (strict order, setting webhook.order).`
  if (dueAt === null) return 'It waits for the answer of its create call.'
  if (last === undefined) return 'It has not been sent yet.'
  if (last.outcome === 'accepted') return 'It was accepted, and will be sent again on purpose.'
  if (last.outcome === 'unknown') return 'It has been sent; there is no answer yet.'
  return retryWords(retryState)
}

function deadWords({ attempts, policy, plan }: RetryState): string {
  const last = attempts.at(-1)
  if (last?.error === 'not sent, on purpose') return 'A fault has dropped it: it will never be sent.'
  if (attempts.length > retriesOf(policy, plan)) return 'All its attempts are used up.'
  return 'It will not be retried: webhooks sent by hand have no retries.'
}

function retryWords({ attempts, policy, plan }: RetryState): string {
  const made = attempts.length
  const { baseMs, capMs } = policy
  const max = retriesOf(policy, plan)
  const waits = Array.from({ length: Math.max(0, max - made + 1) }, (_, index) => made + index)
    .map((attempt) => nextAttemptAt(attempt, 0, { ...policy, max }))
    .filter((wait) => wait !== null)
  const shown = waits.slice(0, most).map((wait) => spanWords(wait))
  const last = waits.at(-1)
  const more = waits.length > most && last !== undefined ? ` … up to ${spanWords(last)}` : ''
  return [
    `Attempt ${made} of ${max + 1} failed, so it will be retried.`,
    `The delay starts at ${spanWords(baseMs)} and doubles each time, up to ${spanWords(capMs)}. A Retry-After of the receiver is followed up to that limit too.`,
    `Next delays: ${shown.join(', ')}${more}.`,
  ].join(' ')
}

const retriesOf = ({ max }: RetryPolicy, plan: RetryState['plan']): number =>
  Math.min(max, (plan?.attempts ?? Infinity) - 1)

/** Reads the retry policy from settings as the control API shows them. */
export function policyIn(settings: Readonly<Record<string, unknown>>): RetryPolicy {
  const ms = (name: string) => parseDuration(String(settings[name])) ?? 0
  return {
    max: Number(settings['webhook.retry.max']),
    baseMs: ms('webhook.retry.base'),
    capMs: ms('webhook.retry.cap'),
  }
}
