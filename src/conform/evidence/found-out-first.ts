import type { JournalEntry } from '../../index.ts'
import type { Attempt } from './webhook-answer.ts'

/** What of a call says when it was answered, and what. */
type Lookup = Pick<JournalEntry, 'operation' | 'wallAt' | 'response'>

/** Whether an application may have found out by itself that an order is COMPLETED, rather than by this webhook: it had
 *  asked before the webhook was sent, or asked the same more than once before it answered.
 *  @param told the first attempt of the order's webhook of COMPLETED
 *  @param calls what the application has asked of the service about the order */
export function foundOutFirst(
  { wallAt, ms }: Pick<Attempt, 'wallAt' | 'ms'>,
  calls: readonly Lookup[],
): boolean {
  const lookups = calls.filter(
    (call) => call.wallAt <= wallAt + (ms ?? 0) && /"orderStatus":\s*"COMPLETED"/.test(call.response),
  )
  const asked = new Set(lookups.map(({ operation }) => operation))
  return asked.size < lookups.length || lookups.some((call) => call.wallAt < wallAt)
}
