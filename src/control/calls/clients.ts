import * as z from 'zod'
import { readSettings } from '../../domain/choices/read-settings.ts'
import type { SettingsOverlay } from '../../domain/choices/settings.ts'
import { longestOverlapMs } from '../../domain/choices/webhooks.ts'
import type { Client } from '../../domain/client/client.ts'
import { clientMembers, clockPace, headerText, webhookSecret } from '../../domain/client/client.ts'
import { duration } from '../../domain/text/duration-schema.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { problemWords } from '../../domain/text/problems.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, isOf, oneClientId, paging, searchIn } from '../input.ts'
import { pageAfter } from '../paging.ts'
import type { ControlParts } from '../parts.ts'
import { client as shown } from '../shapes/client.ts'
import { pageOf } from '../shapes/common.ts'

export const newClient = z
  .strictObject({
    ...clientMembers,
    clientId: headerText.optional().meta({ description: 'Made up if left out.' }),
    clock: clockPace.optional().meta({ description: 'How its clock starts.' }),
  })
  .meta({ id: 'NewClient', example: { clientId: 'shop', webhookUrl: 'http://127.0.0.1:3000/webhooks' } })

export const clientPatch = z.strictObject(clientMembers).meta({
  id: 'ClientPatch',
  example: { defaultScenario: 'happy', settings: { 'signature.checkout': 'short' } },
})

export const rotation = z
  .strictObject({
    overlap: duration
      .refine((ms) => ms <= longestOverlapMs, 'must be at most 365d')
      .optional()
      .meta({
        description:
          'How long webhooks are signed with the secret before it too, on the client’s clock. Default: the setting `webhook.rotation.overlap`.',
      }),
    webhookSecret: webhookSecret.optional().meta({ description: 'The new secret. Generated if left out.' }),
  })
  .meta({ id: 'SecretRotation', example: { overlap: '24h' } })

export const tokenExpiry = z
  .strictObject({
    own: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the client’s own `accessToken` expires too. Default: false.' }),
  })
  .meta({ id: 'TokenExpiry', example: { own: true } })

export const clientCalls = [
  controlCall({
    method: 'GET',
    path: '/clients',
    name: 'listClients',
    summary: 'List the clients',
    query: clientQuery.extend({ ...searchIn('clientId', 'webhookUrl'), ...paging }),
    body: noBody,
    answers: { 200: pageOf(shown) },
    errors: ['bad_cursor'],
    handle: async ({ query: { clientId, search, ...page } }, parts) => {
      const listed = clientId === undefined ? parts.clients.all() : [parts.clients.get(clientId)]
      const found = listed.filter((client) => fits(client, search))
      const { items, next } = pageAfter(found, (client) => client.clientId, page)
      return json({ items: items.map((client) => presentClient(client, parts)), next })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clients',
    name: 'makeClient',
    summary: 'Create a client: a merchant account with its own isolated sandbox',
    description: 'All fields have defaults: `{}` creates a client with fresh credentials.',
    query: clientQuery,
    clientMayBeNew: true,
    body: newClient,
    answers: { 201: shown },
    errors: ['client_exists', 'scenario_unknown'],
    handle: async ({ query, body: { settings, clock, ...fields } }, parts) => {
      if (fields.defaultScenario !== undefined) parts.catalog.get(fields.defaultScenario)
      const client = await parts.clients.create({
        ...fields,
        clientId: oneClientId(fields, query),
        settings: clientSettings(settings),
        clock: clock && parts.clients.newClocks.with(clock),
      })
      return json(presentClient(client, parts), 201)
    },
  }),
  controlCall({
    method: 'GET',
    path: '/clients/{clientId}',
    name: 'getClient',
    summary: 'Read a client',
    query: clientQuery,
    body: noBody,
    answers: { 200: shown },
    handle: async ({ param, query }, parts) =>
      json(presentClient(named(param('clientId'), query, parts), parts)),
  }),
  controlCall({
    method: 'PATCH',
    path: '/clients/{clientId}',
    name: 'changeClient',
    summary: 'Change a client',
    description:
      'If you set the webhook URL (also to its current value), webhooks are sent again after a pause. Another `webhookSecret` takes effect at once, without the overlap of a rotation.',
    query: clientQuery,
    body: clientPatch,
    answers: { 200: shown },
    errors: ['client_exists', 'scenario_unknown'],
    handle: async ({ param, query, body: { settings, ...patch } }, parts) => {
      const { clientId } = named(param('clientId'), query, parts)
      if (patch.defaultScenario !== undefined) parts.catalog.get(patch.defaultScenario)
      const client = await parts.clients.update(clientId, { ...patch, settings: clientSettings(settings) })
      return json(presentClient(client, parts))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clients/{clientId}/rotate-webhook-secret',
    name: 'rotateWebhookSecret',
    summary: 'Rotate the webhook secret of a client',
    description:
      'Until the overlap has passed on the client’s clock, each webhook has two signatures: with the new secret, then with the one before it. With `webhook.auth: hmac-body` or `none`, the secret changes, but webhooks are not signed with it.',
    query: clientQuery,
    body: rotation,
    answers: { 200: shown },
    handle: async ({ param, query, body: { overlap, webhookSecret } }, parts) => {
      const { clientId } = named(param('clientId'), query, parts)
      const client = await parts.clients.rotateWebhookSecret(clientId, { webhookSecret, overlapMs: overlap })
      return json(presentClient(client, parts))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clients/{clientId}/expire-tokens',
    name: 'expireTokens',
    summary: 'Expire the access tokens of a client',
    description:
      'From now on, issued access tokens are refused like tokens whose lifetime is over, also with `auth.tokenExpiry: by-scenario`. Tokens issued later are valid. With `own`, the client’s own token is refused too, until you set `accessToken` again or the client requests a token.',
    query: clientQuery,
    body: tokenExpiry,
    answers: { 200: shown },
    handle: async ({ param, query, body: { own = false } }, parts) => {
      const { clientId } = named(param('clientId'), query, parts)
      return json(presentClient(await parts.clients.expireTokens(clientId, { own }), parts))
    },
  }),
  controlCall({
    method: 'DELETE',
    path: '/clients/{clientId}',
    name: 'removeClient',
    summary: 'Delete a client and everything that belongs to it',
    query: clientQuery,
    body: noBody,
    answers: { 204: null },
    handle: async ({ param, query }, parts) => {
      const { clientId } = named(param('clientId'), query, parts)
      await parts.clients.remove(clientId)
      return new Response(null, { status: 204 })
    },
  }),
]

/** @throws client_unknown, also if the query names another client */
function named(
  clientId: string,
  query: { clientId?: string | undefined },
  { clients }: ControlParts,
): Client {
  const client = clients.get(clientId)
  if (!isOf(client, query)) throw new EmulatorError('client_unknown', { clientId })
  return client
}

export function presentClient(client: Client, { scheduler }: ControlParts): object {
  const { mode, speed } = scheduler.clockState(client.clientId)
  return {
    clientId: client.clientId,
    apiSecret: client.apiSecret,
    accessToken: client.accessToken,
    webhookSecret: client.webhookSecret,
    ...(client.previousWebhookSecret === null ? {} : { previousWebhookSecret: client.previousWebhookSecret }),
    webhookUrl: client.webhookUrl,
    ...(client.webhookPaused ? { webhookPaused: true } : {}),
    ...(client.pausedAfter === null ? {} : { pausedAfter: client.pausedAfter }),
    ...(client.failedInARow === 0 ? {} : { failedInARow: client.failedInARow }),
    ...(client.holds.length > 0 ? { holds: client.holds } : {}),
    defaultScenario: client.defaultScenario,
    clock: { mode, now: scheduler.now(client.clientId), speed },
    settings: client.settings,
  }
}

/** Parses the settings of a client from a request body.
 *  @throws invalid_input */
function clientSettings(input: unknown): SettingsOverlay | undefined {
  if (input === undefined) return undefined
  const reading = readSettings(input, { scope: 'client' })
  if (reading.ok) return reading.overlay
  const problems = reading.problems.map((problem) => ({ ...problem, path: ['settings', ...problem.path] }))
  throw new EmulatorError('invalid_input', { problems: problemWords(problems) })
}

/** Whether a client's id or webhook URL contains the search text, ignoring case. */
export function fits({ clientId, webhookUrl }: Client, search: string | undefined): boolean {
  if (search === undefined) return true
  const wanted = search.toLowerCase()
  return [clientId, webhookUrl ?? ''].some((text) => text.toLowerCase().includes(wanted))
}
