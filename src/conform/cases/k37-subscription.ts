import { chargedSoFar, countsEffects, nextCharge } from '../acts/subscription.ts'
import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'

const thirdFails: Script = {
  for: 'subscription',
  trial: '7d',
  timeline: [
    { at: '2s', pay: 'completed' },
    { every: 'interval', times: 6, order: 'COMPLETED' },
    { charge: 3, order: 'FAILED', error: '9004' },
  ],
}

const charges = 4

/** A subscription has one requestId, and an order for each charge. */
export const subscription: Case = {
  id: 'K37',
  level: 'MUST',
  sideBySide: true,
  title: 'A subscription whose third charge fails',
  happens:
    'After a trial there is a charge each month, all under one requestId, each with its own orderId. The third charge is FAILED.',
  right: 'Fulfil once for each charge that is COMPLETED, and not for the FAILED one or during the trial.',
  why: 'An application that counts requestIds delivers only one month. One that counts webhooks delivers unpaid months.',
  explainedBy: [
    { cases: ['K01'], defect: 'lost' },
    { cases: ['K01', 'K02'], defect: 'premature' },
    { cases: ['K08', 'K09', 'K10', 'K11', 'K12'], defect: 'doubled' },
  ],
  async run(stage) {
    const order = await stage.order({ kind: 'subscription', follows: thirdFails })
    await countsEffects(order)
    await stage.advance('10s')
    await order.releases(await chargedSoFar(order, stage), 'premature')
    for (let charge = 1; charge <= charges; charge++) {
      await nextCharge(order, stage)
      await order.releases(await chargedSoFar(order, stage), charge === 3 ? 'premature' : 'doubled')
    }
  },
}
