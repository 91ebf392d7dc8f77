import { Finding } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Setting } from '../stage/setting.ts'
import { Stage } from '../stage/stage.ts'

/** Whether an application leaves every webhook without an answer. Each case would wait for each of them, and see the same
 *  each time: what there is to say of it, K01 and K03 say. */
export async function answersNothing(setting: Setting): Promise<boolean> {
  const stage = await Stage.open('K00', setting)
  try {
    const { order } = await stage.begin({ follows: { ...happy, settings: { 'webhook.retry.max': 0 } } })
    const begun = await order(setting.app.patienceMs)
    if (begun.orderId === null) return false
    await stage.settle()
    if (!(await isSilent(stage))) return false
    await stage.advance('5s')
    return await isSilent(stage)
  } catch (error) {
    // What is wrong with it is for the cases to find.
    if (error instanceof Finding) return false
    throw error
  } finally {
    await stage.close()
  }
}

async function isSilent({ orders }: Stage): Promise<boolean> {
  const deliveries = (await Promise.all(orders.map((order) => order.deliveries()))).flat()
  const attempts = deliveries.flatMap((delivery) => delivery.attempts)
  return attempts.length > 0 && attempts.every(({ outcome }) => outcome === 'timeout')
}
