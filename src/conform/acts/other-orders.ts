import { isBroken } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Whether an application without a start call takes a webhook that says COMPLETED of an order that it cannot know. One
 *  that answers "not now" to all of them, so that they come again, has not been broken by what they say.
 *  @returns true where the application creates its orders itself */
export async function takesOrdersItDoesNotKnow(stage: Stage): Promise<boolean> {
  if (stage.app.start !== null) return true
  const order = await stage.order()
  await stage.advance('10s')
  const deliveries = await order.deliveries('COMPLETED')
  const taken = deliveries.some(({ attempts }) => attempts.some((attempt) => !isBroken(attempt)))
  if (!taken)
    stage.cannotSee(
      'how it answers for its own orders, since it postpones webhooks about unknown ones: set `start`',
    )
  return taken
}

/** Another order, to see whether the application has survived. @param what it had to bear @throws Finding */
export async function orderAfter(stage: Stage, what: string): Promise<StagedOrder> {
  const { order, answer } = await stage.begin()
  await answer
  const begun = await order()
  if (begun.orderId === null)
    throw new Finding({ defect: 'crashed', did: `After ${what} it created no more orders: ${begun.told}.` })
  return begun
}
