import { retryAfterMs } from '../../domain/webhook/retry.ts'
import type { Evidence, SeenWebhook } from '../evidence/evidence.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** The wait between two attempts of one webhook. */
export interface Gap {
  readonly webhook: SeenWebhook
  /** The attempt before it. */
  readonly after: Exchange
  /** The number of that attempt, from 1. */
  readonly n: number
  /** Milliseconds from the end of that attempt to the next one. */
  readonly ms: number
  /** The receiver's wish, in milliseconds; null without a `Retry-After`. */
  readonly wishMs: number | null
}

/** Whether a receiver accepted an attempt by the usual rule. */
export const isSuccess = ({ status }: Exchange): boolean => status !== null && status >= 200 && status < 300

/** Whether the capture says that an attempt failed: another status, or no answer. */
export const hasFailed = (attempt: Exchange): boolean => attempt.isAnswered && !isSuccess(attempt)

/** The waits after failed attempts of a webhook. None comes after a success: what follows is a copy, not a retry. */
export function gapsOf(webhook: SeenWebhook): Gap[] {
  const { attempts } = webhook
  const gaps: Gap[] = []
  for (const [index, after] of attempts.entries()) {
    const next = attempts[index + 1]
    // A copy or a success before makes the count of attempts uncertain.
    if (next === undefined || !hasFailed(after)) break
    const wishMs = retryAfterMs(after.responseHeaders['retry-after'], after.at)
    gaps.push({ webhook, after, n: index + 1, ms: next.at - after.at, wishMs })
  }
  return gaps
}

/** The name of a webhook in evidence: what makes observations of it one. */
export const unitOf = ({ attempts: [first], order }: SeenWebhook): string =>
  `${order?.requestId ?? ''} ${first.source.file} ${first.source.place} ${first.at}`

/** How long after the last of some failed attempts a retry may still come, as far as waits of that length are usual. */
const patience = { times: 6, atLeastMs: 2 * 3_600_000 }

/** Whether the sender has given up a webhook: its last attempt failed long before the end of the capture.
 *  @param waitMs the wait before that attempt, or the expected next one if it is known */
export function isGivenUp({ attempts }: SeenWebhook, waitMs: number, { until }: Evidence): boolean {
  const last = attempts.at(-1)
  if (last === undefined || !hasFailed(last)) return false
  return until - last.at > Math.max(patience.times * waitMs, patience.atLeastMs)
}

/** The times at which the URL of webhooks was set, which ends a pause. */
export const urlChanges = ({ calls }: Evidence): number[] =>
  calls.flatMap(({ operation, status, at }) => (operation === 'webhook-url' && status === 200 ? at : []))
