import { Hono } from 'hono'
import { EmulatorError } from '../domain/errors.ts'
import { clientQuery, readQuery } from './input.ts'
import { json, presentOne } from './orders.ts'
import type { ControlParts } from './parts.ts'

/** `/subscriptions`: a subscription is named by its requestId, which all its charges share. */
export function subscriptionRoutes(parts: ControlParts): Hono {
  const app = new Hono()
  app.post('/:requestId/cancel', async (c) => {
    const { clientId } = readQuery(c, clientQuery)
    const first = await firstCharge(c.req.param('requestId'), clientId, parts)
    return json(c, await presentOne(await parts.lifecycle.cancel(first), parts))
  })
  return app
}

/** The orderId of a subscription's first charge, which stands for the whole.
 *  @throws subscription_unknown, several_clients */
async function firstCharge(
  requestId: string,
  clientId: string | undefined,
  { store }: ControlParts,
): Promise<string> {
  const { items } = await store.listOrders({ requestId, clientId, limit: 1000 })
  const firsts = items.filter(({ kind, charge }) => kind === 'subscription' && charge === 1)
  const [first, second] = firsts
  if (first === undefined) throw new EmulatorError('subscription_unknown', { requestId })
  if (second !== undefined) throw new EmulatorError('several_clients', { requestId })
  return first.orderId
}
