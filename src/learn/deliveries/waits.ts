import type { Gap } from './attempts.ts'

/** The bounds of a wait that some observations allow, in milliseconds. */
export interface Bounds {
  readonly from: number
  readonly to: number
}

/** Bounds of the configured wait of a sender, from several observed waits. Apart from rounding, an observed wait is
 *  never shorter; it is longer by the duration of the answer and by the delays of a busy sender.
 *  @returns null if the waits differ so much that the sender draws them at random, or uses several */
export function boundsOf(all: readonly Gap[]): Bounds | null {
  // How long an answer took is part of some waits and not of others: quick answers show the wait itself.
  const quick = all.filter(({ after }) => (after.ms ?? 0) <= quickMs)
  const gaps = quick.length > 0 ? quick : all
  const waits = gaps.map(({ ms }) => ms)
  const least = Math.min(...waits)
  const most = Math.max(...waits)
  const spread = most - least
  if (spread > Math.max(4000, least * 0.1)) return null
  const [first] = gaps.toSorted((a, b) => a.ms - b.ms)
  const answer = first?.after.ms ?? 0
  // Waits that agree are exact. Others may be longer than the configured one, or be spread around it.
  const isExact = spread <= Math.max(100, least * 0.005)
  const below = isExact ? Math.max(rounding, least * 0.005) : spread / 2
  // The clock of a test stands still while the receiver answers, so the wait may also begin with the attempt.
  return { from: Math.max(0, least - answer - below), to: (isExact ? least : most) + rounding }
}

/** The duration of an answer that hardly matters. */
const quickMs = 500

/** Times of captures are rounded to milliseconds, and timers are late or early by some. */
const rounding = 50
