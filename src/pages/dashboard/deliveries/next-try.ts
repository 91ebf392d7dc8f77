import { type ShownSettings, settingsShown } from '../../../domain/choices/settings.ts'
import { spanWords } from '../../../domain/text/duration.ts'
import { nextAttemptAt, type RetryPolicy, retryPolicy } from '../../../domain/webhook/retry.ts'

/** The facts that decide about the next attempt of a delivery. */
interface RetryState {
  readonly status: 'pending' | 'delivered' | 'dead' | 'skipped' | 'held'
  readonly dueAt: number | null
  readonly attempts: readonly { readonly outcome: string; readonly error: string | null }[]
  readonly plan: PlanOfRetries
  /** Why the client's webhooks are paused; null if they are not. */
  readonly paused: string | null
  /** The id of the older delivery that this one waits for. */
  readonly waitsFor?: string | undefined
  /** The client's settings, as the control API shows them. */
  readonly settings: ShownSettings
}

/** What the scenario of a delivery says about its attempts. */
type PlanOfRetries = {
  readonly attempts?: number | undefined
  readonly settings?: ShownSettings | undefined
} | null

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
  const { status, attempts, dueAt, paused, waitsFor, settings } = retryState
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
  if (last === undefined && (settings['webhook.batch'] ?? null) !== null)
    return 'It waits for others to be sent with it (setting webhook.batch).'
  if (last === undefined) return 'It has not been sent yet.'
  if (last.outcome === 'accepted') return 'It was accepted, and will be sent again on purpose.'
  if (last.outcome === 'unknown') return 'It has been sent; there is no answer yet.'
  return retryWords(retryState)
}

function deadWords({ attempts, settings, plan }: RetryState): string {
  const last = attempts.at(-1)
  if (last?.error === 'not sent, on purpose') return 'A fault has dropped it: it will never be sent.'
  if (attempts.length > policyIn(settings, plan).max) return 'All its attempts are used up.'
  return 'It will not be retried: webhooks sent by hand have no retries.'
}

function retryWords({ attempts, settings, plan }: RetryState): string {
  const made = attempts.length
  const policy = policyIn(settings, plan)
  const waits = Array.from({ length: Math.max(0, policy.max - made + 1) }, (_, index) => made + index)
    .map((attempt) => nextAttemptAt(attempt, 0, policy))
    .filter((wait) => wait !== null)
  const shown = waits.slice(0, most).map((wait) => spanWords(wait))
  const last = waits.at(-1)
  const more = waits.length > most && last !== undefined ? ` … up to ${spanWords(last)}` : ''
  return [
    `Attempt ${made} of ${policy.max + 1} failed, so it will be retried.`,
    delayWords(policy),
    `Next delays: ${shown.join(', ')}${more}.`,
  ].join(' ')
}

function delayWords({ schedule, baseMs, capMs, retryAfter }: RetryPolicy): string {
  const limit = spanWords(capMs)
  const delays =
    schedule === null
      ? `The delay starts at ${spanWords(baseMs)} and doubles each time, up to ${limit}.`
      : 'The setting webhook.retry.schedule lists the delays.'
  if (retryAfter === 'ignore') return `${delays} A Retry-After of the receiver is ignored.`
  const longest = schedule === null ? 'that limit too' : `the longest of them, ${limit}`
  return `${delays} A Retry-After of the receiver is followed up to ${longest}.`
}

/** Reads the retry policy of a delivery from settings as the control API shows them. */
export const policyIn = (settings: ShownSettings, plan: PlanOfRetries): RetryPolicy =>
  retryPolicy(settingsShown(settings, plan?.settings ?? {}), plan)
