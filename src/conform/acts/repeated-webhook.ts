import type { JournalEntry } from '../../index.ts'
import type { Attempt } from '../evidence/webhook-answer.ts'
import { WrongBefore } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

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

const ordersAtMost = 3

/** An order that is COMPLETED within `by` and that the application has acted on because its webhook said so, and only
 *  then. Where it looked the order up besides, it may well ignore all webhooks of that order, or have taken it for two,
 *  whatever it does to others: then another is tried, three in all.
 *  @throws WrongBefore if it is not paid by then, or released more than once */
export async function paidAsTold(stage: Stage, by: string, follows?: Script): Promise<StagedOrder> {
  for (let attempt = 1; ; attempt++) {
    const order = await stage.order({ follows })
    await stage.advance(by)
    const wrong = await wrongWith(order)
    if (attempt === ordersAtMost || !(await mayHaveFoundOut(order))) {
      if (wrong !== null) throw wrong
      return order
    }
    stage.note('the application may have looked the order up before its webhook came: tries another order', {
      about: order.requestId,
    })
  }
}

async function wrongWith(order: StagedOrder): Promise<WrongBefore | null> {
  try {
    await order.isPaidBefore()
    return null
  } catch (error) {
    if (error instanceof WrongBefore) return error
    throw error
  }
}

async function mayHaveFoundOut(order: StagedOrder): Promise<boolean> {
  const [told] = (await order.deliveries('COMPLETED')).flatMap(({ attempts }) => attempts)
  return told !== undefined && foundOutItself(told, await order.calls())
}
