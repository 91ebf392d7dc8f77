import type { JournalEntry } from '../../index.ts'
import type { Attempt } from './webhook-answer.ts'

/** What of a call says when it was answered, after how long, and what. */
type Call = Pick<JournalEntry, 'operation' | 'wallAt' | 'ms' | 'response'>

/** When a webhook was sent, and how long it took. */
type Told = Pick<Attempt, 'wallAt' | 'ms'>

/** For so long an application may be in the middle of what it does about a lookup, milliseconds. */
const busyMs = 100

/** Whether an application may have found out by itself what an order's webhook of COMPLETED says: it had asked before
 *  it was told, or asked the same again before it was done with it.
 *  @param told the first attempt of that webhook
 *  @param calls what the application has asked of the service about the order, the oldest first */
export function foundOutItself(told: Told, calls: readonly Call[]): boolean {
  const lookups = calls.filter(({ response }) => /"orderStatus":\s*"COMPLETED"/.test(response))
  const [first] = lookups
  if (first === undefined) return false
  if (lookups.some(({ wallAt, ms }) => wallAt - ms < told.wallAt)) return true
  const doneAt = Math.max(told.wallAt + (told.ms ?? 0), first.wallAt + busyMs)
  const meanwhile = lookups.filter(({ wallAt }) => wallAt <= doneAt)
  return new Set(meanwhile.map(({ operation }) => operation)).size < meanwhile.length
}
