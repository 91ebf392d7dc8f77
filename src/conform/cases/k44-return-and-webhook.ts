import { browserReturns, callbackUrlOf } from '../acts/browser-return.ts'
import { allEndPaid, inWaves } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { NotSeen } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const orderCount = 20
/** Number of orders at the same time, so that an application with a small pool of connections can serve them. */
const waveSize = 5

export const returnAndWebhook: Case = {
  id: 'K44',
  level: 'MUST',
  title: 'The browser returns while the webhook arrives',
  happens: `${orderCount} orders are COMPLETED. For each, the payer's browser opens your \`callbackUrl\` at the same time as the webhook arrives.`,
  right: 'Fulfil each order once, whichever of the two is first.',
  why: 'Both look the order up and see COMPLETED at the same time. Without one atomic step, the customer gets everything twice.',
  explainedBy: [...simplerFailures, { cases: ['K12', 'K15', 'K16', 'K40'], defect: 'doubled' }],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const orders = await inWaves(stage, { count: orderCount, play: comeTogether, waveSize })
    await stage.settle()
    await allEndPaid(stage, orders)
  },
}

/** Plays orders whose webhook and browser arrive together. Slow lookups make even a fast application process both at
 *  once.
 *  @throws NotSeen if no browser can return */
async function comeTogether(stage: Stage): Promise<StagedOrder[]> {
  const orders = await stage.many(waveSize, happy)
  for (const order of orders.slice(0, 1)) {
    order.needsEffects()
    await callbackUrlOf(order)
  }
  await stage.plan({ on: ['orders', 'crypto-orders'], effect: { delay: '1s' }, for: '5500ms' })
  await stage.advance('5s')
  const returning = Promise.all(orders.map((order) => browserReturns(order, stage)))
  // Prevents an unhandled rejection if the case ends before.
  returning.catch(() => undefined)
  await stage.pause(Math.min(stage.app.settleMs, 200))
  await stage.advance('2s')
  const opened = await returning
  if (orders.length > 0 && !opened.some(Boolean))
    throw new NotSeen(
      'what your application does when the payer returns: no browser reaches its `callbackUrl`',
    )
  return orders
}
