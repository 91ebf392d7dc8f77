import type { Case } from '../case.ts'
import { reactionInWords, reactionTo } from '../evidence/reaction.ts'
import { foundInNormalLife } from './found-before.ts'

export const twoLegs: Case = {
  id: 'K38',
  level: 'SHOULD',
  sideBySide: true,
  title: 'Two webhooks for one order with different orderTypes',
  happens:
    'Each status of an order is reported twice with the same orderId: once with the orderType CHECKOUT and once with that of a crypto payin.',
  right: 'Fulfil the order once, whatever orderType the webhooks have.',
  why: 'The service may report the fiat and the crypto leg of an order separately. The customer has paid only once.',
  explainedBy: foundInNormalLife,
  async run(stage) {
    const order = await stage.order({ follows: 'two-leg-events' })
    await stage.settle()
    await order.isUnpaidBefore()
    await stage.advanceAtLeast('10s')
    await order.becomesPaidOnce()
    const deliveries = await order.deliveries()
    if (
      !deliveries.some(
        ({ orderType, attempts }) => orderType === 'CHECKOUT' && attempts.at(-1)?.outcome === 'accepted',
      )
    )
      return
    const refused = deliveries.find(
      (each) => each.orderType !== 'CHECKOUT' && reactionTo(each) !== 'accepted',
    )
    if (refused !== undefined)
      stage.remark(
        `It ${reactionInWords(refused)} to the webhook with the orderType ${refused.orderType}: the service will send it again. An answer of 2xx stops that.`,
      )
  },
}
