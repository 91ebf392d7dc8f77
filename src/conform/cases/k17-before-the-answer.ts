import type { Case } from '../case.ts'
import type { Script } from '../stage/scripts.ts'
import { simplerFailures } from './found-before.ts'

/** CREATED and COMPLETED arrive after one second, the answer of the create call after four. The webhook timeout is
 *  short, so that the create call does not time out if a handler waits for its answer. */
const fasterThanTheAnswer: Script = {
  settings: { 'webhook.timeout': '2s' },
  timeline: [
    { at: '500ms', pay: 'completed' },
    { at: '1s', order: 'COMPLETED' },
  ],
  webhooks: { of: 'CREATED', early: true, delay: '1s' },
  answers: [{ on: 'create-order', when: 'stored', effect: { delay: '4s' }, times: 1 }],
}

export const beforeTheAnswer: Case = {
  id: 'K17',
  level: 'MUST',
  title: 'Webhooks arrive before the answer of the create call',
  happens:
    'The answer of the create call is delayed, and the webhooks of CREATED and COMPLETED arrive first. The service sends those again that are not answered with 2xx.',
  right:
    'In the end the order is paid: store the order before the create call, or answer webhooks with an error until it is stored.',
  why: 'A webhook can be faster than the answer of the create call. An application that answers 2xx for an order that it has not stored yet never receives the event again.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe', 'webhookUrl')
    const { answer, order, mustBeMade } = await stage.begin({ follows: fasterThanTheAnswer })
    await mustBeMade()
    await stage.advance('2s')
    stage.note('releases the answer of the create call')
    await stage.advance('3s')
    await answer
    await stage.advance('20m')
    await (await order()).endsPaid()
  },
}
