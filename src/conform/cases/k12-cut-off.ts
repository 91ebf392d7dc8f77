import { becomesPaidUnlessAskedToWait, slowLookups } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { happy, type Script } from '../stage/scripts.ts'

const cutOnce: Script = {
  timeline: happy.timeline,
  webhooks: { of: 'COMPLETED', cut: 'end', times: 1 },
}

export const cutOff: Case = {
  id: 'K12',
  level: 'MUST',
  title: 'The connection breaks before the answer',
  happens:
    'The webhook of COMPLETED arrives completely, and the connection breaks before the answer. Then the webhook arrives again.',
  right: 'Fulfil once: finish the work that was begun, or do it on the next attempt.',
  why: 'An application that marks a webhook as handled before the work is done loses the order. One that marks it too late ships twice.',
  explainedBy: [
    { cases: ['K01', 'K08', 'K09', 'K10', 'K16'], defect: 'doubled' },
    { cases: ['K01'], defect: 'lost' },
  ],
  async run(stage) {
    const order = await stage.order({ follows: cutOnce })
    await stage.settle()
    await order.isUnpaidBefore()
    // The application still looks the order up when the connection breaks.
    await slowLookups(stage, order, { delay: '500ms', lasting: '5200ms' })
    await stage.advance('5s')
    await stage.pause(Math.min(stage.app.settleMs, 1_000))
    await stage.advance('500ms')
    // The clock could send the retry at once; in reality the first attempt has had a second by then.
    await stage.pause(stage.app.settleMs)
    await stage.advance('1m')
    await becomesPaidUnlessAskedToWait(order)
  },
}
