import { EmulatorError } from '../domain/errors.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { jsonText } from './json-answer.ts'
import type { ControlParts } from './parts.ts'
import { presentOne } from './present-order.ts'
import { order } from './shapes/order.ts'

/** `/subscriptions`: a subscription is named by its requestId, which all its charges share. */
export const subscriptionCalls = [
  controlCall({
    method: 'POST',
    path: '/subscriptions/{requestId}/cancel',
    name: 'cancelSubscription',
    summary: 'Cancel a subscription',
    description:
      'Returns the order of its first charge. `?clientId=` is required if several clients have a subscription with this requestId.',
    query: clientQuery,
    body: noBody,
    answers: { 200: order },
    errors: [
      'subscription_unknown',
      'several_clients',
      'subscription_is_cancelled',
      'not_a_subscription',
      'stale_order',
    ],
    handle: async ({ param, query }, parts) => {
      const first = await firstCharge(param('requestId'), query.clientId, parts)
      return jsonText(await presentOne(await parts.lifecycle.cancel(first), parts))
    },
  }),
]

/** The orderId of a subscription's first charge, which stands for the whole.
 *  @throws subscription_unknown, several_clients */
async function firstCharge(
  requestId: string,
  clientId: string | undefined,
  { store }: ControlParts,
): Promise<string> {
  const where = { kind: 'subscription', charge: '1' }
  const { items } = await store.listOrders({ requestId, clientId, where, limit: 2 })
  const [first, second] = items
  if (first === undefined) throw new EmulatorError('subscription_unknown', { requestId })
  if (second !== undefined) throw new EmulatorError('several_clients', { requestId })
  return first.orderId
}
