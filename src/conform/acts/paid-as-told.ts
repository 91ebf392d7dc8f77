import { foundOutItself } from '../evidence/own-lookups.ts'
import { WrongBefore } from '../finding.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

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
