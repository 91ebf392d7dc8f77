import type { Client } from '../domain/client/client.ts'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { diagnoseSignature, mostOthers } from '../domain/diagnosis/signature.ts'
import { type CredentialKind, diagnoseToken, type SentToken } from '../domain/diagnosis/token.ts'
import type { Diagnosis } from '../domain/journal/entry.ts'
import { masked } from '../domain/journal/masking.ts'
import { formatDuration } from '../domain/text/duration.ts'
import { doubledMembers } from '../domain/text/json-text.ts'
import type { SignedMembers } from '../domain/webhook/signature.ts'
import type { JsonObject } from '../http/body.ts'
import type { Clients } from '../lifecycle/clients.ts'
import type { Call } from './call.ts'
import { verificationFailed } from './refusal.ts'

const headerNames = [
  'x-signature',
  'signatures',
  'sign',
  'x-sign',
  'hmac',
  'x-hmac',
  'x-hmac-signature',
  'x-hmac-sha256',
  'x-hub-signature',
  'x-hub-signature-256',
  'x-request-signature',
  'x-api-signature',
  'api-signature',
  'webhook-signature',
  'x-webhook-signature',
  'content-signature',
]
const memberNames = ['signature', 'sign', 'hmac']

/** A create call whose signature matches none of the accepted strings. */
interface RefusedCreate {
  readonly kind: 'checkout' | 'subscription'
  readonly members: SignedMembers
  readonly accepted: readonly string[]
  readonly body: JsonObject
}

/** Diagnoses why the signature of a call does not match. */
export function refusedSignature(refused: RefusedCreate, call: Call, clients: Clients): Diagnosis {
  const { client } = call
  return diagnoseSignature({
    ...refused,
    body: call.body.text,
    read: refused.body,
    firstValues: firstValues(call.body.text),
    signature: call.header('signature'),
    elsewhere: elsewhere(refused, call),
    client,
    others: clients.some(mostOthers + 1).filter(({ clientId }) => clientId !== client.clientId),
    othersCount: clients.count - 1,
  })
}

function elsewhere(
  { body }: RefusedCreate,
  { header, query }: Call,
): { cause: Cause; where: string; signature: string } | null {
  for (const name of headerNames) {
    const signature = header(name)
    if (signature) return { cause: 'signature.header-name', where: `the header \`${name}\``, signature }
  }
  for (const name of memberNames) {
    const inBody = body[name]
    if (typeof inBody === 'string')
      return { cause: 'signature.in-body', where: `the body (\`${name}\`)`, signature: inBody }
    const inQuery = query().get(name)
    if (inQuery !== null)
      return { cause: 'signature.in-query', where: `the query (\`${name}\`)`, signature: inQuery }
  }
  return null
}

const signedNames = ['currencyId', 'fiatAmount', 'requestId', 'interval', 'trialPeriodDays'] as const

/** The first value of each signed field that the body has more than once. */
function firstValues(body: string): Partial<SignedMembers> {
  const doubled = doubledMembers(body)
  const found = signedNames.flatMap((name) => {
    const value: unknown = JSON.parse(doubled.get(name) ?? 'null')
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}

/** Maximum number of clients whose credentials are compared with a wrong token. */
const mostCompared = 1_000

/** Finds the client of the request's access token.
 *  @param isOf called with the owner, even of an expired or misplaced token: the rejected call belongs to that
 *    client's log
 *  @throws Refusal 401 (R9, R100, R110) */
export function authenticate(sent: SentToken, clients: Clients, isOf: (clientId: string) => void): Client {
  const { token } = sent
  const owner = token === undefined || token === '' ? null : clients.ownerOf(token)
  if (owner === null) {
    throw verificationFailed(
      diagnoseToken(sent, {
        ownerOf: (text) => reported(nameOf(clients.ownerOf(text)), isOf),
        credential: (text) => credentialOf(text, clients),
      }),
    )
  }
  isOf(nameOf(owner) ?? '')
  if ('client' in owner) {
    if (!clients.refusesToken(owner.client.clientId, token ?? '')) return owner.client
    const message = `token: \`${masked(token ?? '')}\` of "${owner.client.clientId}" has expired early, because of the behaviour token-expires; get a new one`
    throw verificationFailed({ cause: 'token.expired', message })
  }
  // A caller may use several tokens in turn, so the message names the refused one.
  const which = `\`${masked(token ?? '')}\``
  if ('refused' in owner) {
    const left = roughly(owner.until - owner.now)
    const message = `token: a scenario refuses every token of "${owner.refused}", ${which} too, for ${left} more by its clock`
    throw verificationFailed({ cause: 'token.refused', message })
  }
  const ago =
    owner.since === null
      ? 'has expired because of a scenario or of the call `expire-tokens`'
      : `has expired, ${roughly(owner.now - owner.since)} ago by its clock`
  const why = clients.settingsOf(owner.expired)['auth.oneToken']
    ? ' (a new token ends the earlier ones: setting `auth.oneToken`)'
    : ''
  const message = `token: ${which} belonged to "${owner.expired}" and ${ago}${why}; get a new one`
  throw verificationFailed({ cause: 'token.expired', message })
}

/** Rejects a clientId other than the token's.
 *  @throws Refusal 401 (R100, R105) */
export function requireOwnClientId(clientId: string, client: Client, where: string, clients: Clients): void {
  if (clientId === client.clientId) return
  const other = clients.find(clientId) === undefined ? nearMiss(clientId, client) : 'another client'
  throw verificationFailed({
    cause: 'clientId.not-the-tokens',
    message: `clientId: the ${where} says "${clientId}" (${other}), but the access token belongs to "${client.clientId}"`,
  })
}

function reported(clientId: string | null, isOf: (clientId: string) => void): string | null {
  if (clientId !== null) isOf(clientId)
  return clientId
}

function nearMiss(clientId: string, client: Client): string {
  if (clientId.trim() === client.clientId) return 'it has spaces around it'
  return clientId.toLowerCase() === client.clientId.toLowerCase()
    ? 'upper and lower case differ'
    : 'not a client of this emulator'
}

/** Formats a duration; from one second on, rounded to whole seconds. */
const roughly = (ms: number) => formatDuration(ms < 1_000 ? ms : Math.round(ms / 1_000) * 1_000)

function nameOf(owner: ReturnType<Clients['ownerOf']>): string | null {
  if (owner === null) return null
  if ('client' in owner) return owner.client.clientId
  return 'expired' in owner ? owner.expired : owner.refused
}

function credentialOf(text: string, clients: Clients): { clientId: string; what: CredentialKind } | null {
  for (const client of clients.some(mostCompared)) {
    const what = kindOf(text, client)
    if (what !== null) return { clientId: client.clientId, what }
  }
  return null
}

function kindOf(text: string, client: Client): CredentialKind | null {
  if (text === client.apiSecret) return 'API secret'
  if (text === client.clientId) return 'clientId'
  if (text === client.webhookSecret) return 'webhook secret'
  return text.toLowerCase() === client.accessToken.toLowerCase() ? 'token in other letters' : null
}
