import { allEndPaid, inWaves } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { simplerFailures } from './found-before.ts'

const orderCount = 21

export const bothAtOnce: Case = {
  id: 'K15',
  level: 'MUST',
  title: 'CREATED and COMPLETED at the same time',
  happens: `Both webhooks of ${orderCount} paid orders arrive at the same time, each over its own connection.`,
  right: 'In the end each order is paid, and fulfilled once.',
  why: 'A handler that reads, then writes the whole record back, overwrites what the other handler has written meanwhile.',
  explainedBy: [
    ...simplerFailures,
    { cases: ['K14'], defect: 'lost' },
    { cases: ['K14'], defect: 'wrong-status' },
  ],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const orders = await inWaves(stage, { count: orderCount, play: someToldAtOnce, waveSize })
    await stage.settle()
    await allEndPaid(stage, orders)
  },
}

/** Number of orders whose webhooks all get their own connection: the emulator opens 16 at most. */
const waveSize = 7

/** COMPLETED is sent just before CREATED: a due webhook waits for earlier events of its order, and CREATED is not
 *  due yet. */
const bothNow: Script = {
  timeline: [
    { at: '2s', pay: 'completed' },
    { at: '4999ms', order: 'COMPLETED' },
  ],
  webhooks: { of: 'CREATED', delay: '5s' },
}

/** Plays several orders whose CREATED and COMPLETED arrive together. Slow lookups make even a fast application
 *  process both at once. */
async function someToldAtOnce(stage: Stage): Promise<StagedOrder[]> {
  const orders = await stage.many(waveSize, bothNow)
  await stage.plan({ on: ['orders', 'crypto-orders'], effect: { delay: '1s' }, for: '5500ms' })
  await stage.advance('5500ms')
  await stage.pause(Math.min(stage.app.settleMs, 300))
  await stage.advance('2s')
  return orders
}
