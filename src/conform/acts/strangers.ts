import { isBroken } from '../evidence/webhook-answer.ts'
import type { Stage } from '../stage/stage.ts'

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
