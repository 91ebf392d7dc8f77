import { z } from 'zod'
import type { Delivery, NewDelivery } from '../domain/delivery.ts'
import { EmulatorError } from '../domain/errors.ts'
import { mostCopies } from '../domain/hand-made.ts'
import { eventDelivery, textDelivery } from '../lifecycle/hand-made.ts'
import { wrongKey } from '../webhooks/by-hand.ts'
import type { ControlParts } from './parts.ts'

const text = z.string().min(1).max(200)

const headers = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header'),
  z
    .string()
    .max(8_192)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be what a header can hold')
    .nullable(),
)

/** A webhook as somebody wants it sent. */
export const sendRequest = z
  .strictObject({
    clientId: text,
    event: z
      .strictObject({
        requestId: text,
        clientId: text.optional(),
        orderId: text.optional(),
        orderStatus: text.optional(),
        orderType: text.optional(),
        eventType: text.optional(),
        errorCode: text.optional(),
      })
      .optional(),
    /** A text is sent as it is, anything else as JSON. */
    body: z.json().optional(),
    headers: headers.default({}),
    sign: z.union([z.boolean(), z.enum(['wrong', 'old'])]).default(true),
    copies: z.int().min(1).max(mostCopies).default(1),
    together: z.boolean().default(false),
    cut: z.int().min(1).optional(),
  })
  .refine(({ event, body }) => (event === undefined) !== (body === undefined), {
    message:
      'needs either `event`, which is sent in the client’s payload format, or `body`, which is sent as it is',
  })

/** Sends it now and answers what is on record, once all copies have ended.
 *  @throws client_unknown, invalid_input, no_webhook_url, stopping */
export async function sendDelivery(
  { clientId, event, body, ...how }: z.output<typeof sendRequest>,
  parts: ControlParts,
): Promise<Delivery> {
  const client = parts.clients.get(clientId)
  const apiSecret = how.sign === 'wrong' ? wrongKey(client.apiSecret) : client.apiSecret
  const around = { ...parts, apiSecret }
  const make = (): Promise<NewDelivery> =>
    event === undefined
      ? textDelivery(client, typeof body === 'string' ? body : JSON.stringify(body), around)
      : eventDelivery(client, event, around)
  for (;;) {
    const delivery = await make()
    try {
      await parts.outbox.sendByHand(client, delivery, how)
    } catch (error) {
      // Another one took its id in the meantime.
      if (error instanceof EmulatorError && error.code === 'delivery_exists') continue
      throw error
    }
    const sent = await parts.store.findDelivery(delivery.id)
    if (sent === null) throw new EmulatorError('delivery_unknown', { id: delivery.id })
    return sent
  }
}
