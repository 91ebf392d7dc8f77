import type { Case } from '../case.ts'

/** What everything else stands on: an order that is paid. */
export const normalLife: Case = {
  id: 'K01',
  level: 'MUST',
  title: 'An order is paid',
  happens: 'An order is created, and a few seconds later it is COMPLETED; a webhook tells of each.',
  right: 'Release nothing while the order is CREATED; release once when it is COMPLETED.',
  why: 'Whoever releases goods for an order that was merely created gives them away.',
  async run(stage) {
    const order = await stage.order()
    await stage.settle()
    await order.staysWithoutEffect()
    stage.learned.waitsForPayment = order.canBeProbed
    await stage.advance('10s')
    await order.becomesPaid()
  },
}
