import { paidAsTold } from '../acts/paid-as-told.ts'
import type { Case } from '../case.ts'

/** The simplest duplicate there is. */
export const sameBytesAgain: Case = {
  id: 'K08',
  level: 'MUST',
  title: 'The same webhook again at once',
  happens: 'The webhook of COMPLETED is accepted, and comes again with the same id and the same bytes.',
  right: 'Release nothing more. Answer 2xx, or it keeps coming.',
  why: 'Webhooks are delivered at least once: each repeat would be another parcel.',
  async run(stage) {
    const order = await paidAsTold(stage, '10s')
    order.needsEffects()
    for (const delivery of await order.deliveries('COMPLETED')) await stage.resend(delivery)
    await order.staysPaid()
  },
}
