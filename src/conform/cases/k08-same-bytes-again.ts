import { paidByWebhook } from '../acts/repeated-webhook.ts'
import type { Case } from '../case.ts'

export const sameBytesAgain: Case = {
  id: 'K08',
  level: 'MUST',
  sideBySide: true,
  title: 'The same webhook again immediately',
  happens: 'The webhook of COMPLETED is accepted, and arrives again with the same id and the same bytes.',
  right: 'Do not fulfil again. Answer 2xx, or the service keeps sending it.',
  why: 'Webhooks are delivered at least once. An application that acts on each copy ships twice.',
  async run(stage) {
    const order = await paidByWebhook(stage, '10s')
    order.needsEffects()
    for (const delivery of await order.deliveries('COMPLETED')) await stage.resend(delivery)
    await order.staysPaid()
  },
}
