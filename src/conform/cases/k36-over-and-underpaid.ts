import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'

const underpaid: Script = {
  timeline: [
    { at: '2s', pay: 'completed', received: '50%' },
    { at: '5s', order: 'FAILED', error: '9004' },
  ],
}

const overpaid: Script = {
  timeline: [
    { at: '2s', pay: 'completed', received: '110%' },
    { at: '5s', order: 'COMPLETED' },
  ],
}

export const overAndUnderpaid: Case = {
  id: 'K36',
  level: 'SHOULD',
  sideBySide: true,
  title: 'The customer pays too little, or too much',
  happens:
    'The customer pays half of the amount of one order, which is FAILED, and a tenth too much for another, which is COMPLETED.',
  right: 'Follow the status of the order: do not fulfil the first, and fulfil the second once.',
  why: 'An application that decides by the received amount, or by the payment status, ships half-paid orders or withholds paid ones.',
  explainedBy: [
    { cases: ['K01', 'K02', 'K21'], defect: 'premature' },
    { cases: ['K02'], defect: 'wrong-status' },
    { cases: ['K01'], defect: 'lost' },
  ],
  async run(stage) {
    const little = await stage.order({ follows: underpaid })
    const much = await stage.order({ follows: overpaid })
    await together([little, much], (order) => order.isUnpaidBefore())
    await stage.advanceAtLeast('10s')
    await together([little.becomesFailed(), much.becomesPaid()], (ended) => ended)
  },
}
