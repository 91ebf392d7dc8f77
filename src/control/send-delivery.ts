import * as z from 'zod'
import type { Client } from '../domain/client/client.ts'
import { requestId } from '../domain/order/ids.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import { anyJson } from '../domain/text/json-text.ts'
import type { Delivery, NewDelivery } from '../domain/webhook/delivery.ts'
import { mostCopies } from '../domain/webhook/faults/duplicate.ts'
import {
  type AttemptFaults,
  faultFields,
  faultProblems,
  readFaults,
} from '../domain/webhook/faults/faults.ts'
import { authWords, carriesSeveral, recipeOf, severalOnly } from '../domain/webhook/recipe.ts'
import { eventDelivery, isTaken, textDelivery } from '../lifecycle/manual-webhooks.ts'
import type { ControlParts } from './parts.ts'

const text = z.string().min(1).max(200)

export const sendRequest = z
  .strictObject({
    clientId: text.optional().meta({ description: 'The client whose webhook it is.' }),
    event: z
      .strictObject({
        requestId,
        clientId: text.optional(),
        orderId: text.optional(),
        orderStatus: text.optional(),
        orderType: text.optional(),
        eventType: text.optional(),
        errorCode: text.optional(),
      })
      .optional()
      .meta({ description: 'The fields of the event; sent in the webhook format of the client.' }),
    body: anyJson
      .optional()
      .meta({ description: 'Instead of `event`: a string is sent unchanged, anything else as JSON.' }),
    ...faultFields,
    copies: z.int().min(1).max(mostCopies).default(1).meta({ description: 'How many times it is sent.' }),
    together: z.boolean().default(false).meta({ description: 'Whether copies are sent at the same time.' }),
  })
  .refine(({ event, body }) => (event === undefined) !== (body === undefined), {
    message: 'needs either `event`, to send in the client’s payload format, or `body`, to send unchanged',
  })
  .superRefine((delivery, context) => {
    for (const { path, message } of faultProblems(delivery))
      context.addIssue({ code: 'custom', path: [...path], message })
  })
  .meta({
    id: 'HandMadeDelivery',
    example: { clientId: 'demo-client', event: { requestId: 'r1', orderStatus: 'COMPLETED' }, sign: 'wrong' },
  })

/** Sends a webhook now and returns the recorded delivery after all copies have ended.
 *  @param bodyText text to send if `event` is missing
 *  @throws client_unknown, invalid_input, no_previous_secret, no_webhook_url, stopping */
export async function sendDelivery(
  { clientId, event, body: _, copies, together, ...wrong }: z.output<typeof sendRequest>,
  bodyText: string | null,
  parts: ControlParts,
): Promise<Delivery> {
  if (clientId === undefined) {
    throw new EmulatorError('invalid_input', {
      problems: 'clientId: is missing; name the client that sends the webhook',
    })
  }
  const faults = readFaults(wrong)
  checkSignatures(faults, parts.clients.get(clientId), parts)
  const plan = Object.keys(faults).length === 0 ? null : { faults: [faults] }
  const make = (client: Client): Promise<NewDelivery> =>
    event === undefined
      ? textDelivery(client, bodyText ?? '', { ...parts, plan })
      : eventDelivery(client, event, { ...parts, plan })
  const id = await parts.clients.worlds.decide(async () => {
    for (;;) {
      const client = parts.clients.get(clientId)
      const generation = parts.clients.generationOf(clientId)
      const delivery = await make(client)
      try {
        await parts.outbox.sendManually(client, delivery, { copies, together }, generation)
        return delivery.id
      } catch (error) {
        if (!isTaken(error)) throw error
      }
    }
  })
  const sent = await parts.store.findDelivery(id)
  if (sent === null) throw new EmulatorError('delivery_unknown', { id })
  return sent
}

/** Checks that the client can sign a webhook as listed.
 *  @throws invalid_input if webhooks do not carry several, no_previous_secret */
function checkSignatures(
  { signatures }: AttemptFaults,
  { clientId, previousWebhookSecret }: Client,
  { clients }: ControlParts,
): void {
  if (signatures === undefined) return
  const settings = clients.settingsOf(clientId)
  if (!carriesSeveral(recipeOf(settings))) {
    const problems = `signatures: ${severalOnly} sends a list of signatures; ${clientId} has ${authWords(settings)}`
    throw new EmulatorError('invalid_input', { problems })
  }
  if (signatures.includes('previous') && previousWebhookSecret === null)
    throw new EmulatorError('no_previous_secret', { clientId })
}
