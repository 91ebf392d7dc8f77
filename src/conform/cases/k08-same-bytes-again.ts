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
    const order = await stage.order()
    await stage.advance('10s')
    await order.isPaidBefore()
    order.needsEffects()
    for (const delivery of await order.deliveries('COMPLETED')) await stage.resend(delivery)
    await order.staysPaid()
  },
}
