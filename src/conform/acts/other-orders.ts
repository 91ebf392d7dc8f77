import { isBroken } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Tests whether an application without a start call accepts a COMPLETED webhook for an order that it cannot know. If
 *  all attempts get 5xx or no answer, that is noted as not observable.
 *  @returns whether the webhook was accepted or refused; always true with a start call */
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

/** Plays another order, to check that the application still works.
 *  @param what happened to the application before
 *  @throws Finding */
export async function orderAfter(stage: Stage, what: string): Promise<StagedOrder> {
  const begun = await stage.starting(async () => {
    const { order, answer } = await stage.begin()
    await answer
    return order()
  })
  if (begun.orderId === null)
    throw new Finding({
      defect: 'crashed',
      did: `After ${what} it created no more orders: ${begun.answerText}.`,
    })
  return begun
}
