import type { ModelDelivery } from './model-delivery.ts'
import type { ClientId, World } from './world.ts'

/** How many webhooks to one origin are under way at most. */
const sentAtOnce = 16

/** Waits until webhooks have arrived at an endpoint that holds its answers, and updates the model.
 *  @param sent the expected webhooks */
export async function untilUnderWay(
  { bench, sides }: World,
  client: ClientId,
  sent: readonly ModelDelivery[],
): Promise<void> {
  const { outbox } = sides[client].model
  const arrived = () =>
    sent.filter(({ event, attempts }) => bench.endpoints.of(event).length > attempts.length)
  const enough = Math.min(sentAtOnce - outbox.inFlight, sent.length)
  const what = `${enough} of ${sent.map(({ event }) => event).join(', ')}`
  await bench.endpoints.until(() => arrived().length >= enough, what)
  outbox.takeOff(arrived(), sides[client].model.now)
}
