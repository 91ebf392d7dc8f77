import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'
import { simplerFailures } from './found-before.ts'

/** CREATED and COMPLETED after a second, the answer of the create call after four. A webhook that waits for that answer
 *  is given up soon, so that the create call does not time out meanwhile. */
const fasterThanTheAnswer: Script = {
  settings: { 'webhook.timeout': '2s' },
  timeline: [
    { at: '500ms', pay: 'completed' },
    { at: '1s', order: 'COMPLETED' },
  ],
  webhooks: { of: 'CREATED', early: true, delay: '1s' },
  answers: [{ on: 'create-order', when: 'stored', effect: { delay: '4s' }, times: 1 }],
}

/** The application hears of an order that it is still creating. */
export const beforeTheAnswer: Case = {
  id: 'K17',
  level: 'MUST',
  title: 'Webhooks come before the create call is answered',
  happens:
    'The answer of the create call is held back, and the webhooks of CREATED and COMPLETED come first. Those that are refused come again.',
  right: 'The order is paid in the end: store it before you create it, or refuse the webhook until you have.',
  why: 'The service may be faster than its own answer. Who says 2xx to an order that is not stored yet never hears of it again.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const { answer, order, mustBeMade } = await stage.begin({ follows: fasterThanTheAnswer })
    await mustBeMade()
    await stage.advance('2s')
    stage.note('lets the create call be answered')
    await stage.advance('3s')
    await answer
    await stage.advance('20m')
    await (await order()).endsPaid()
  },
}
