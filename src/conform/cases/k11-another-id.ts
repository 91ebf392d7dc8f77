import { paidAsTold } from '../acts/paid-as-told.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

const toldTwice: Script = {
  timeline: happy.timeline,
  webhooks: { of: 'COMPLETED', duplicate: 1, apart: '10s', ids: 'fresh' },
}

/** An id tells webhooks apart, not orders. */
export const anotherId: Case = {
  id: 'K11',
  level: 'MUST',
  title: 'Two webhooks of one payment',
  happens: 'A second webhook says of the same order that it is COMPLETED, with an id of its own.',
  right: 'Release nothing more: remember what was released for the order, not only which webhooks have come.',
  why: 'Services that send something again by hand, or after a failure of their own, give it a new id.',
  explainedBy: [{ cases: ['K08', 'K09'], defect: 'doubled' }],
  async run(stage) {
    const order = await paidAsTold(stage, '5s', toldTwice)
    order.needsEffects()
    await stage.advance('30s')
    await order.staysPaid()
  },
}
