import type { JournalEntry } from '../../index.ts'
import type { Attempt } from '../evidence/webhook-answer.ts'
import { WrongBefore } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

type Call = Pick<JournalEntry, 'operation' | 'wallAt' | 'ms' | 'response'>

type SentAttempt = Pick<Attempt, 'wallAt' | 'ms'>

/** How long an application may still work after a lookup, milliseconds. */
const busyMs = 100

/** Whether the application may have learned of the payment from a lookup instead of the COMPLETED webhook. Then it
 *  looked the order up before the webhook, or again before it answered.
 *  @param told the first attempt of that webhook
 *  @param calls the application's calls about the order, oldest first */
export function foundOutItself(webhook: SentAttempt, calls: readonly Call[]): boolean {
  const lookups = calls.filter(({ response }) => /"orderStatus":\s*"COMPLETED"/.test(response))
  const [first] = lookups
  if (first === undefined) return false
  if (lookups.some(({ wallAt, ms }) => wallAt - ms < webhook.wallAt)) return true
  const doneAt = Math.max(webhook.wallAt + (webhook.ms ?? 0), first.wallAt + busyMs)
  const meanwhile = lookups.filter(({ wallAt }) => wallAt <= doneAt)
  return new Set(meanwhile.map(({ operation }) => operation)).size < meanwhile.length
}

const ordersAtMost = 3

/** Plays an order that is COMPLETED within `by` and that the application fulfils because of its webhook alone. After
 *  a lookup of its own, the application could ignore or confuse the webhooks of that order, so another order is
 *  tried, up to three.
 *  @throws WrongBefore if it is not paid by then, or was fulfilled more than once */
export async function paidByWebhook(stage: Stage, by: string, follows?: Script): Promise<StagedOrder> {
  for (let attempt = 1; ; attempt++) {
    const order = await stage.order({ follows })
    await stage.advanceAtLeast(by)
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
  const [webhook] = (await order.deliveries('COMPLETED')).flatMap(({ attempts }) => attempts)
  return webhook !== undefined && foundOutItself(webhook, await order.calls())
}
