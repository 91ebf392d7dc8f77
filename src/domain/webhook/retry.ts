import type { EpochMs } from '../text/time.ts'

/** How often and how soon failed attempts are repeated (N44). */
export interface RetryPolicy {
  /** The maximum number of retries after the first attempt. */
  readonly max: number
  readonly baseMs: number
  readonly capMs: number
}

/** The time of the next attempt after a failed one: `base` doubled for each attempt, at most `cap`. It is later if the
 *  receiver's Retry-After says so, again up to `cap`.
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
  const scheduled = Math.min(retry.baseMs * 2 ** Math.min(attempt - 1, 52), retry.capMs)
  const asked = Math.min(retryAfterMs ?? 0, retry.capMs)
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
