import type { DecisionContext } from './decision.ts'
import { formedId } from './id-forms.ts'
import { orderIds, otherOrderIds, refundId } from './ids.ts'
import type { Order } from './order.ts'

/** The orderId and token of a new order: UUIDs, or in the forms of the settings (N58, N83). */
export function newIds(
  requestId: string,
  charge: number,
  { seed, client, nowMs, settings, scenario, draw = 0 }: DecisionContext,
): ReturnType<typeof orderIds> {
  const { clientId } = client
  const usual = orderIds(seed, clientId, requestId, charge, nowMs)
  const formed = (use: 'orderId' | 'token', form: string | null) =>
    form === null ? usual[use] : formedId(form, { seed, use, clientId, requestId, charge, nowMs, draw })
  const { orderId, token } = scenario.otherIds
    ? otherOrderIds(usual)
    : {
        orderId: formed('orderId', settings['orders.ids']),
        token: formed('token', settings['orders.tokens']),
      }
  return { orderId: settings['orders.orderIdEqualsToken'] ? token : orderId, token }
}

/** The id of the next refund of an order: a UUID, or in the form of the settings (N83). No two refunds of an order have
 *  the same id. */
export function newRefundId(
  { orderId, requestId, charge, refunds }: Order,
  { seed, client, nowMs, settings }: DecisionContext,
): string {
  const form = settings['orders.refundIds']
  const taken = new Set(refunds?.map((each) => each.refundId))
  if (form === null) return refundId(orderId, taken.size + 1, nowMs)
  const source = { seed, use: 'refundId', clientId: client.clientId, requestId, charge, nowMs }
  for (let draw = taken.size; ; draw++) {
    const id = formedId(form, { ...source, draw })
    if (!taken.has(id)) return id
  }
}
