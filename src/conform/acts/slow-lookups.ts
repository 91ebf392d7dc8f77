import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** Lets the application wait for its lookups of an order, so that what happens meanwhile finds it in the middle of its
 *  work. @param delay how long each is held, and @param lasting until when, both on the client's clock */
export async function slowLookups(
  stage: Stage,
  { requestId }: StagedOrder,
  { delay, lasting }: { delay: string; lasting: string },
): Promise<void> {
  await stage.plan({
    on: ['orders', 'crypto-orders'],
    where: { requestId },
    effect: { delay },
    for: lasting,
  })
}
