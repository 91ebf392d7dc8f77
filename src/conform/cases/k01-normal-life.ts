import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { happy } from '../stage/scripts.ts'

/** An order is created and paid, and its webhooks arrive: all other cases build on this one. */
export const normalLife: Case = {
  id: 'K01',
  level: 'MUST',
  first: true,
  title: 'An order is paid',
  happens:
    'An order is created, and a few seconds later it is COMPLETED. A webhook reports each of the two statuses.',
  right: 'Do not fulfil while the order is CREATED; fulfil once when it is COMPLETED; answer the webhooks.',
  why: 'An application that fulfils an order which is only created gives the goods away.',
  async run(stage) {
    const { answersNothing } = stage.learned
    const order = await stage.order({ follows: answersNothing ? onceOnly : happy })
    await stage.settle()
    await order.staysWithoutEffect()
    stage.learned.waitsForPayment = order.canBeProbed
    await stage.advance('10s')
    if (answersNothing) throw unanswered
    await order.becomesPaid()
  },
}

/** A single attempt: for an application that answers no webhook, it shows as much as ten. */
const onceOnly = { ...happy, settings: { 'webhook.retry.max': 0 } }

const unanswered = new Finding({
  defect: 'no-answer',
  did: 'It answered neither webhook of the order within the 5 seconds that the service waits.',
  should: 'Answer each webhook with 2xx immediately, and do longer work after the answer.',
})
