import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { simplerFailures } from './found-before.ts'

export const lateFailedEvent: Case = {
  id: 'K50',
  level: 'MUST',
  sideBySide: true,
  title: 'A late FAILED event for a paid order',
  happens:
    'An order is COMPLETED and fulfilled. Then an old event arrives that says FAILED, while the lookup still says COMPLETED, and an hour passes.',
  right: 'Keep the order paid and its fulfilment: look the order up instead of acting on the event.',
  why: 'Events of an earlier attempt can be late. An application that believes them, or cancels in a later job, takes back what the customer has paid for.',
  explainedBy: [...simplerFailures, { cases: ['K14', 'K20'], defect: 'wrong-status' }],
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const order = await stage.order()
    await stage.advance('10s')
    await order.isPaidBefore()
    await stage.send({ event: { requestId: order.requestId, orderStatus: 'FAILED', errorCode: '9004' } })
    await stage.advanceAtLeast('1h')
    await stage.reconcile()
    try {
      await order.staysPaid()
    } catch (error) {
      if (!(error instanceof Finding)) throw error
      const did = `A late event said FAILED for the paid order, and the lookup still said COMPLETED. An hour later: ${error.words.did}`
      throw new Finding({ ...error.words, did })
    }
  },
}
