import { becomesPaidUnlessAskedToWait, slowLookups } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

const tenTimes: Script = {
  timeline: happy.timeline,
  webhooks: { of: 'COMPLETED', simultaneous: 9 },
}

/** Ten copies of a webhook at the same time must not fulfil the order twice: checking and acting are two steps. */
export const atOnce: Case = {
  id: 'K10',
  level: 'MUST',
  title: 'Ten copies at the same time',
  happens: 'The webhook of COMPLETED arrives ten times at the same time, each over its own connection.',
  right:
    'Fulfil once: let one atomic write decide, like a unique key or an update that checks the old status.',
  why: 'Another request can run between your check and your write. Under load, orders are shipped twice.',
  explainedBy: [
    { cases: ['K01', 'K08', 'K09', 'K16'], defect: 'doubled' },
    { cases: ['K01'], defect: 'lost' },
  ],
  async run(stage) {
    const order = await stage.order({ follows: tenTimes })
    await stage.settle()
    await order.isUnpaidBefore()
    // The lookups take a second, so that all ten copies are in progress before the first ends, however fast the
    // application is.
    await slowLookups(stage, order, { delay: '1s', lasting: '5500ms' })
    await stage.advance('5s')
    await stage.pause(Math.min(stage.app.settleMs, 1_000))
    await stage.advance('1m')
    await becomesPaidUnlessAskedToWait(order)
  },
}
