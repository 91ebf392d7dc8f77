import type { JournalEntry } from '../../index.ts'
import type { Attempt } from './webhook-answer.ts'

/** What of a call says when it was answered, and what. */
type Lookup = Pick<JournalEntry, 'operation' | 'wallAt' | 'response'>

/** For so long an application may be in the middle of what it does about a lookup, milliseconds. */
const busyMs = 100

/** Whether an application may have found out by itself that an order is COMPLETED, rather than by this webhook: it had
 *  asked before the webhook was sent, or asked the same again before it was done with it.
 *  @param told the first attempt of the order's webhook of COMPLETED
 *  @param calls what the application has asked of the service about the order, the oldest first */
export function foundOutFirst(
  { wallAt, ms }: Pick<Attempt, 'wallAt' | 'ms'>,
  calls: readonly Lookup[],
): boolean {
  const lookups = calls.filter(({ response }) => /"orderStatus":\s*"COMPLETED"/.test(response))
  const [first] = lookups
  if (first === undefined) return false
  const doneAt = Math.max(wallAt + (ms ?? 0), first.wallAt + busyMs)
  const meanwhile = lookups.filter((call) => call.wallAt <= doneAt)
  return first.wallAt < wallAt || new Set(meanwhile.map(({ operation }) => operation)).size < meanwhile.length
}
