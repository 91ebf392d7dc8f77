import { becomesPaidUnlessAskedToWait } from '../acts/asked-to-wait.ts'
import { slowLookups } from '../acts/slow-lookups.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

const tenTimes: Script = {
  timeline: happy.timeline,
  webhooks: { of: 'COMPLETED', simultaneous: 9 },
}

/** To look whether something was done, and then to do it, are two steps. */
export const atOnce: Case = {
  id: 'K10',
  level: 'MUST',
  title: 'Ten copies at the same moment',
  happens: 'The webhook of COMPLETED comes ten times at the same moment, over connections of their own.',
  right:
    'Release once: let one write decide who may, like a unique key or an update that names the old status.',
  why: 'Between looking and acting there is room for another request: under load orders are sent twice.',
  explainedBy: [
    { cases: ['K01', 'K08', 'K09', 'K16'], defect: 'doubled' },
    { cases: ['K01'], defect: 'lost' },
  ],
  async run(stage) {
    const order = await stage.order({ follows: tenTimes })
    await stage.settle()
    await order.isUnpaidBefore()
    // All ten are in the middle of it before the first can end, however quick the application is.
    await slowLookups(stage, order, { delay: '1s', lasting: '5500ms' })
    await stage.advance('5s')
    await stage.pause(Math.min(stage.app.settleMs, 1_000))
    await stage.advance('1m')
    await becomesPaidUnlessAskedToWait(order)
  },
}
