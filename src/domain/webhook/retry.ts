import type { Settings } from '../choices/settings.ts'
import type { EpochMs } from '../text/time.ts'

/** How often and how soon failed attempts are repeated (N44). */
export interface RetryPolicy {
  /** The maximum number of retries after the first attempt. */
  readonly max: number
  /** The delay before each retry; null if it starts at `baseMs` and doubles up to `capMs`. */
  readonly schedule: readonly number[] | null
  readonly baseMs: number
  /** The longest delay, also of a Retry-After. */
  readonly capMs: number
  /** Whether a Retry-After of the receiver is honoured. */
  readonly retryAfter: 'honour' | 'ignore'
}

type RetrySettings = Pick<
  Settings,
  | 'webhook.retry.max'
  | 'webhook.retry.base'
  | 'webhook.retry.cap'
  | 'webhook.retry.schedule'
  | 'webhook.retry.after'
>

/** The retry policy of a delivery under its settings. A schedule replaces number, base and cap.
 *  @param plan what the delivery's scenario says; it may allow fewer attempts */
export function retryPolicy(
  settings: RetrySettings,
  plan: { readonly attempts?: number | undefined } | null = null,
): RetryPolicy {
  const schedule = settings['webhook.retry.schedule']
  const max = schedule?.length ?? settings['webhook.retry.max']
  return {
    max: Math.min(max, (plan?.attempts ?? Infinity) - 1),
    schedule,
    baseMs: settings['webhook.retry.base'],
    capMs: schedule === null ? settings['webhook.retry.cap'] : Math.max(...schedule),
    retryAfter: settings['webhook.retry.after'],
  }
}

/** The time of the next attempt after a failed one: by the schedule, or `base` doubled for each attempt, at most
 *  `cap`. It is later if the receiver's Retry-After says so and is honoured, up to `cap`.
 *  @param attempt attempts made so far, from 1
 *  @param nowMs end of the last attempt, epoch milliseconds on the client's clock
 *  @param retryAfterMs the receiver's Retry-After, null for none
 *  @returns epoch milliseconds of the next attempt, or null once the schedule is used up
 *  @throws {RangeError} if `attempt` is not a positive integer (a bug of the caller)
 *  @see docs/reference/settings.md N44 */
export function nextAttemptAt(
  attempt: number,
  nowMs: EpochMs,
  retry: RetryPolicy,
  retryAfterMs: number | null = null,
): EpochMs | null {
  if (!Number.isInteger(attempt) || attempt < 1)
    throw new RangeError(`attempt must be 1 or more, not ${attempt}`)
  if (attempt > retry.max) return null
  // 2^52 ms is beyond any cap; the bound keeps the power exact.
  const doubled = Math.min(retry.baseMs * 2 ** Math.min(attempt - 1, 52), retry.capMs)
  const scheduled = retry.schedule === null ? doubled : (retry.schedule[attempt - 1] ?? retry.capMs)
  const asked = retry.retryAfter === 'ignore' ? 0 : Math.min(retryAfterMs ?? 0, retry.capMs)
  return nowMs + Math.max(scheduled, asked)
}

/** The milliseconds of a Retry-After header: seconds, or an HTTP date seen from the wall clock.
 *  @returns null for a missing or unreadable header */
export function retryAfterMs(header: string | undefined, wallNow: EpochMs): number | null {
  if (header === undefined) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  // `Date.parse` accepts almost any text, `-5` included; an HTTP date ends with GMT.
  const date = header.trim().endsWith('GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - wallNow)
}
