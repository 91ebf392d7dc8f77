import type { DecisionContext } from './decision.ts'
import { formedId } from './id-forms.ts'
import { orderIds, otherOrderIds } from './ids.ts'

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
