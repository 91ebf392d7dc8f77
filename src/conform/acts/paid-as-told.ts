import { foundOutFirst } from '../evidence/found-out-first.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

const ordersAtMost = 3

/** An order that is COMPLETED within `by` and that the application has acted on because its webhook said so. One whose
 *  polling was quicker may well ignore all webhooks of that order, whatever it does to others: then another is tried,
 *  three in all.
 *  @throws WrongBefore if it is not paid by then */
export async function paidAsTold(stage: Stage, by: string, follows?: Script): Promise<StagedOrder> {
  for (let attempt = 1; ; attempt++) {
    const order = await stage.order({ follows })
    await stage.advance(by)
    await order.isPaidBefore()
    if (attempt === ordersAtMost || !(await foundOutByItself(order))) return order
    stage.note('the application may have looked it up before it was told: tries another order', {
      about: order.requestId,
    })
  }
}

async function foundOutByItself(order: StagedOrder): Promise<boolean> {
  const [told] = (await order.deliveries('COMPLETED')).flatMap(({ attempts }) => attempts)
  return told !== undefined && foundOutFirst(told, await order.calls())
}
