import { takesOrdersItDoesNotKnow } from '../acts/other-orders.ts'
import { together } from '../acts/until-paid.ts'
import type { Case } from '../case.ts'
import { inWords, isBroken, lastAttempt } from '../evidence/webhook-answer.ts'
import { Finding } from '../finding.ts'
import { failing } from '../stage/scripts.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

export const orderFails: Case = {
  id: 'K02',
  level: 'MUST',
  sideBySide: true,
  title: 'An order fails',
  happens: 'Four orders end as FAILED: with the error codes 9004, 9005, an undocumented one, and 9006.1.',
  right:
    'Treat each order as failed and do not fulfil it, whatever its error code is. A code is a text, like 9006.1.',
  why: 'The service may add codes at any time. The customer still has to learn of the failure, and the webhook handler must not break.',
  explainedBy: [{ cases: ['K01'], defect: 'premature' }],
  async run(stage) {
    const codes = ['9004', '9005', `8${100 + stage.draw(900)}`, '9006.1']
    const orders: { order: StagedOrder; code: string }[] = []
    for (const code of codes) orders.push({ order: await stage.order({ follows: failing(code) }), code })
    await stage.settle()
    await together(orders, ({ order }) => order.isUnpaidBefore())
    await stage.advanceAtLeast('10s')
    const takesStrangers = await takesOrdersItDoesNotKnow(stage)
    for (const { order, code } of orders)
      if (order.ofApplication || takesStrangers) await takesItsWebhook(order, code)
    await together(orders, ({ order }) => order.becomesFailed())
  },
}

/** Waits until the FAILED webhook is accepted, retries included. An application that does not even accept CREATED
 *  has another problem. */
async function takesItsWebhook(order: StagedOrder, code: string): Promise<void> {
  const [created] = await order.deliveries('CREATED')
  if (created?.attempts.every(isBroken)) return
  for (const delivery of await order.deliveries('FAILED')) {
    if (delivery.attempts.length === 0 || !delivery.attempts.every(isBroken)) continue
    const last = lastAttempt(delivery)
    throw new Finding({
      defect: last.status === null ? 'no-answer' : 'server-error',
      did: `It ${inWords(last)} to the webhook of an order that failed with ${code}, each of ${delivery.attempts.length} times`,
      requestId: order.requestId,
      deliveryId: delivery.id,
    })
  }
}
