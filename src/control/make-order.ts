import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import type { Order } from '../domain/order.ts'
import { newOrderOf, orderMembers, strangersIn } from '../domain/order-members.ts'
import { namedInMetadata } from '../domain/selection.ts'
import { refuseOtherKinds } from './other-kinds.ts'
import type { ControlParts } from './parts.ts'

/** An order as somebody wants it made. No signature and no token: the one who asks owns the emulator. */
export const makeOrderRequest = z
  .strictObject({
    clientId: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'The client that owns the order.' }),
    ...orderMembers,
  })
  .superRefine((members, context) => {
    const [stranger] = strangersIn(members)
    if (stranger === undefined) return
    context.addIssue({ code: 'custom', path: [stranger], message: 'needs kind "subscription"' })
  })
  .meta({ id: 'NewOrder', example: { clientId: 'demo-client', kind: 'payout', fiatAmount: '10.00' } })

/** Makes an order of any kind, payouts and crypto payins too, which no call of the service creates (N64i).
 *  @param metadata its JSON text, which is kept as it is (N69)
 *  @throws client_unknown, scenario_unknown, order_exists, invalid_input */
export async function makeOrder(
  wanted: z.output<typeof makeOrderRequest>,
  metadata: string | null,
  { clients, catalog, lifecycle }: ControlParts,
): Promise<Order> {
  const { clientId, kind, requestId, scenario } = wanted
  if (clientId === undefined) {
    throw new EmulatorError('invalid_input', {
      problems: 'clientId: is missing; name the client of the order',
    })
  }
  clients.get(clientId)
  if (scenario !== undefined) refuseOtherKinds(catalog.get(scenario).scenario, kind)
  // A requestId is made up if none is given.
  const order = { ...newOrderOf(wanted, requestId ?? `order-${randomUUID()}`), metadata }
  const hints = { control: scenario ?? null, header: null, metadata: namedInMetadata(wanted.metadata) }
  const made = await clients.worlds.decide(() =>
    lifecycle.createOrder(clients.get(clientId), order, hints, null),
  )
  return made.order
}
