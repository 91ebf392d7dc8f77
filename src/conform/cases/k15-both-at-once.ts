import type { Case } from '../case.ts'
import { simplerFailures } from '../simpler-failures.ts'
import type { Stage } from '../stage.ts'
import type { StagedOrder } from '../staged-order.ts'

const orderCount = 20

/** Two handlers for one order, at the same time. */
export const bothAtOnce: Case = {
  id: 'K15',
  level: 'MUST',
  title: 'CREATED and COMPLETED at the same moment',
  happens: `Both webhooks of ${orderCount} paid orders come at the same moment, over connections of their own.`,
  right: 'Each order is paid in the end, and released once.',
  why: 'A handler that writes back what it has read before overwrites what the other has written meanwhile.',
  explainedBy: [
    ...simplerFailures,
    { cases: ['K14'], defect: 'lost' },
    { cases: ['K14'], defect: 'wrong-status' },
  ],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const { deliveries } = stage.client
    await deliveries.hold({ orderStatus: 'CREATED' })
    await deliveries.hold({ orderStatus: 'COMPLETED' })
    const orders = await stage.many(orderCount)
    if (orders.length < orderCount)
      stage.cannotSee(`what becomes of ${orderCount} orders: it created ${orders.length} of them`)
    await stage.advance('10s')
    // In this order: what is due waits for earlier events of its order, and what is held is not due.
    stage.note('lets all webhooks go at once')
    await deliveries.release({ orderStatus: 'COMPLETED' })
    await deliveries.release({ orderStatus: 'CREATED' })
    await stage.settle()
    await allEndPaid(stage, orders)
  },
}

/** What was refused comes again first, for all of them: the clock is one. */
async function allEndPaid(stage: Stage, orders: readonly StagedOrder[]): Promise<void> {
  const allPaid = async () => (await Promise.all(orders.map((order) => order.isPaid()))).every(Boolean)
  if (!(await stage.until(allPaid, stage.app.settleMs))) {
    await stage.advance('20m')
    await stage.reconcile()
    await stage.until(allPaid, stage.longestMs)
  }
  const ended = await Promise.allSettled(orders.map((order) => order.staysPaid()))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
