import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'
import { simplerFailures } from './found-before.ts'

/** The first attempt to pay fails, and some minutes later another one succeeds. */
const secondAttempt: Script = {
  timeline: [
    { at: '4s', order: 'FAILED', error: '9004' },
    { at: '5m', pay: 'completed', force: true },
    { at: '305s', order: 'COMPLETED', force: true },
  ],
}

export const paidAfterFailure: Case = {
  id: 'K41',
  level: 'SHOULD',
  sideBySide: true,
  title: 'FAILED at first, COMPLETED some minutes later',
  happens:
    'The first attempt to pay fails, and the order is FAILED. Five minutes later the customer pays after all, and the same order is COMPLETED.',
  right: 'Do not fulfil while the order is FAILED; fulfil once when it is COMPLETED.',
  why: 'Customers try another card. An application for which FAILED is the end keeps the money and ships nothing.',
  explainedBy: [...simplerFailures, { cases: ['K02'], defect: 'premature' }],
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: secondAttempt })
    await stage.settle()
    await order.isUnpaidBefore()
    await stage.advance('1m')
    await order.staysWithoutEffect()
    await stage.advanceAtLeast('10m')
    await order.endsPaid()
  },
}
