import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { happy } from '../stage/scripts.ts'

/** What everything else stands on: an order that is paid. */
export const normalLife: Case = {
  id: 'K01',
  level: 'MUST',
  title: 'An order is paid',
  happens: 'An order is created, and a few seconds later it is COMPLETED; a webhook tells of each.',
  right:
    'Release nothing while the order is CREATED; release once when it is COMPLETED; answer the webhooks.',
  why: 'Whoever releases goods for an order that was merely created gives them away.',
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

/** Of one that answers nothing, a first attempt says as much as ten. */
const onceOnly = { ...happy, settings: { 'webhook.retry.max': 0 } }

const unanswered = new Finding({
  defect: 'no-answer',
  did: 'It answered neither webhook of the order: the service waited for 5 seconds each time, and gave up.',
  should: 'Answer each webhook with 2xx at once; work that takes longer goes on after that.',
})
