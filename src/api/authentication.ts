import type { Client } from '../domain/client.ts'
import type { Clients } from '../lifecycle/clients.ts'
import { verificationFailed } from './refusal.ts'

/** Whom the request's access token belongs to.
 *  @param isOf hears whose it is, also if it is good no longer: the refusal belongs to that client's world
 *  @throws Refusal 401 (R9, R100, R110) */
export function authenticate(
  token: string | undefined,
  authorization: string | undefined,
  clients: Clients,
  isOf: (clientId: string) => void,
): Client {
  if (token === undefined || token === '') {
    const hint =
      authorization === undefined ? '' : ' (it has an Authorization header, which the service does not read)'
    throw verificationFailed({
      cause: 'token.missing',
      message: `token: the header \`access-token\` is missing${hint}`,
    })
  }
  const owner = clients.ownerOf(token)
  if (owner === null) {
    const hint = /^bearer\s/i.test(token) ? '; send the token alone, without "Bearer"' : ''
    throw verificationFailed({
      cause: 'token.unknown',
      message: `token: no client has this access token${hint}`,
    })
  }
  if ('refused' in owner) {
    isOf(owner.refused)
    throw verificationFailed({
      cause: 'token.refused',
      message: `token: a scenario has every token of "${owner.refused}" refused for a while`,
    })
  }
  if ('expired' in owner) {
    isOf(owner.expired)
    throw verificationFailed({
      cause: 'token.expired',
      message: `token: it belonged to "${owner.expired}" and has expired; get a new one`,
    })
  }
  isOf(owner.client.clientId)
  return owner.client
}

/** Refuses a clientId that is not the token's. @throws Refusal 401 (R100, R105) */
export function requireOwnClientId(clientId: string, client: Client, where: string, clients: Clients): void {
  if (clientId === client.clientId) return
  const other = clients.find(clientId) === undefined ? 'no client of this emulator' : 'another client'
  throw verificationFailed({
    cause: 'clientId.not-the-tokens',
    message: `clientId: the ${where} says "${clientId}" (${other}), the access token belongs to "${client.clientId}"`,
  })
}
