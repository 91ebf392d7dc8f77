import type { Client } from '../domain/client.ts'
import { type CredentialKind, diagnoseToken, type SentToken } from '../domain/diagnosis/token.ts'
import { formatDuration } from '../domain/duration.ts'
import { masked } from '../domain/secrets.ts'
import type { Clients } from '../lifecycle/clients.ts'
import { verificationFailed } from './refusal.ts'

/** Of more clients the credentials are not compared with what was sent as a token. */
const mostCompared = 1_000

/** Whom the request's access token belongs to.
 *  @param isOf hears whose it is, also if it is good no longer or stands in a wrong place: the refusal belongs to that
 *    client's world
 *  @throws Refusal 401 (R9, R100, R110) */
export function authenticate(sent: SentToken, clients: Clients, isOf: (clientId: string) => void): Client {
  const { token } = sent
  const owner = token === undefined || token === '' ? null : clients.ownerOf(token)
  if (owner === null) {
    throw verificationFailed(
      diagnoseToken(sent, {
        ownerOf: (text) => told(nameOf(clients.ownerOf(text)), isOf),
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
  // Somebody may use several in turn.
  const which = `\`${masked(token ?? '')}\``
  if ('refused' in owner) {
    const left = roughly(owner.until - owner.now)
    const message = `token: a scenario refuses every token of "${owner.refused}", ${which} too, for ${left} more by its clock`
    throw verificationFailed({ cause: 'token.refused', message })
  }
  const ago =
    owner.since === null
      ? 'has expired because of a scenario'
      : `has expired, ${roughly(owner.now - owner.since)} ago by its clock`
  const message = `token: ${which} belonged to "${owner.expired}" and ${ago}; get a new one`
  throw verificationFailed({ cause: 'token.expired', message })
}

/** Refuses a clientId that is not the token's. @throws Refusal 401 (R100, R105) */
export function requireOwnClientId(clientId: string, client: Client, where: string, clients: Clients): void {
  if (clientId === client.clientId) return
  const other = clients.find(clientId) === undefined ? nearMiss(clientId, client) : 'another client'
  throw verificationFailed({
    cause: 'clientId.not-the-tokens',
    message: `clientId: the ${where} says "${clientId}" (${other}), but the access token belongs to "${client.clientId}"`,
  })
}

function told(clientId: string | null, isOf: (clientId: string) => void): string | null {
  if (clientId !== null) isOf(clientId)
  return clientId
}

function nearMiss(clientId: string, client: Client): string {
  if (clientId.trim() === client.clientId) return 'it has spaces around it'
  return clientId.toLowerCase() === client.clientId.toLowerCase()
    ? 'upper and lower case differ'
    : 'not a client of this emulator'
}

/** In whole seconds, where there are some. */
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
