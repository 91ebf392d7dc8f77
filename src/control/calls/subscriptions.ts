import { EmulatorError } from '../../domain/text/errors.ts'
import { json, jsonText } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, paging } from '../input.ts'
import type { ControlParts } from '../parts.ts'
import { presentOne } from '../presenters.ts'
import { pageOf } from '../shapes/common.ts'
import { order, user } from '../shapes/order.ts'

/** `/users`: people with orders. A user is identified by `userId` if the order has one, else by e-mail address
 *  (R29). */
export const userCalls = [
  controlCall({
    method: 'GET',
    path: '/users',
    name: 'listUsers',
    summary: 'List the users with their orders',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(user) },
    errors: ['bad_cursor'],
    handle: async ({ query: { limit = 100, order, ...query } }, { store }) =>
      json(await store.listUsers({ ...query, limit, newestFirst: order === 'newest' })),
  }),
]

/** `/subscriptions`: a subscription is identified by the requestId that all its charges share. */
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

/** The orderId of a subscription's first charge, which represents the subscription.
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
