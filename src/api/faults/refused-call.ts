import type { Context } from 'hono'
import type { Client } from '../../domain/client/client.ts'
import type { Operation } from '../../domain/journal/entry.ts'
import { namedInMetadata } from '../../domain/scenario/selection.ts'
import { type Body, type JsonObject, parseObject } from '../../http/body.ts'
import { queryOf } from '../../http/request.ts'
import type { CreateCall } from '../../lifecycle/scenarios/chooser.ts'
import type { ServiceParts } from '../call.ts'
import type { RequestInfo } from '../response.ts'
import type { CallFaults } from './call-faults.ts'

/** Plays the faults of the stage before all checks, for a call that a check has refused. Client and requestId are
 *  read as far as possible. Returns if no fault applies, and the refusal stands.
 *  @throws FaultyAnswer */
export async function playBeforeRefusal(
  c: Context,
  operation: Operation,
  info: Pick<RequestInfo, 'body'>,
  faults: CallFaults,
  parts: ServiceParts,
): Promise<void> {
  const said = saidBy(c, { text: info.body, utf8: true })
  const client = clientOf(c, said, parts)
  const requestId = text(said, 'requestId')
  // Without a client or requestId, only faults for any call can apply.
  if (client === undefined || requestId === undefined)
    return faults.unchecked([], client ?? null, requestId ?? null)
  const creates = operation === 'create-checkout-order' || operation === 'create-subscription-order'
  if (creates) return asCreate(c, operation, said, client, requestId, faults, parts)
  const orders = await parts.store.ordersOf(client.clientId, requestId)
  await faults.unchecked(orders, client, requestId)
}

async function asCreate(
  c: Context,
  operation: Operation,
  said: JsonObject,
  client: Client,
  requestId: string,
  faults: CallFaults,
  parts: ServiceParts,
): Promise<void> {
  const both = parts.clients.settingsOf(client.clientId)['paths.subscription'] === 'both'
  const isCheckout = operation === 'create-checkout-order' && !(both && said.interval !== undefined)
  const fiatAmount = text(said, 'fiatAmount') ?? ''
  const call: CreateCall = {
    requestId,
    kind: isCheckout ? 'checkout' : 'subscription',
    email: text(said, 'email') ?? '',
    fiatAmount: /^\d{1,30}(\.\d{1,2})?$/.test(fiatAmount) ? fiatAmount : '0',
    requestDescription: text(said, 'requestDescription'),
    userMessage: text(said, 'userMessage'),
  }
  const hints = hintsOf(c.req.header('emulator-scenario'), said)
  await parts.lifecycle.creation.refused(client, call, hints, faults.creating(client, requestId, call.kind))
}

/** The scenarios that a create call names in its header or its metadata. */
export function hintsOf(header: string | undefined, { metadata }: JsonObject) {
  return { header: header ?? null, metadata: namedInMetadata(metadata) }
}

/** The fields of a POST body, or of the query for other methods. */
function saidBy(c: Context, body: Body): JsonObject {
  if (c.req.method !== 'POST') return Object.fromEntries(queryOf(c.req.url))
  const parsed = parseObject(body)
  return 'value' in parsed ? parsed.value : {}
}

/** Finds the client of a call by its token or its clientId. */
function clientOf(c: Context, said: JsonObject, { clients }: ServiceParts): Client | undefined {
  const owner = clients.ownerOf(c.req.header('access-token') ?? '')
  if (owner !== null && 'client' in owner) return owner.client
  return clients.find(text(said, 'clientId') ?? c.req.header('client-id') ?? '')
}

function text(said: JsonObject, name: string): string | undefined {
  const value = said[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
