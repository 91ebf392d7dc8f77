import type { Settings } from '../domain/choices/settings.ts'
import type { NewDelivery } from '../domain/webhook/delivery.ts'
import { faultsAt } from '../domain/webhook/faults/attempt-faults.ts'
import {
  hasTokenMark,
  isClaims,
  jwtOf,
  memberOf,
  secretOf,
  token,
  withTokens,
} from '../domain/webhook/jwt.ts'
import type { ClientSecrets } from '../domain/webhook/secret.ts'
import { wallNow } from '../time/wall.ts'

type Sealed = Pick<NewDelivery, 'body' | 'verbatim' | 'plan' | 'webhookId' | 'createdAt' | 'dueAt'>

/** Puts the body of a delivery into its wire format. In the format `jwt` that is an object with a token (N36, N74), in a
 *  template the token stands where `${jwt}` does; other bodies stay, and so does one that a scenario wants verbatim. A forged delivery gets a token with a wrong key.
 *  The body is the same in every attempt, so the time in the token is the time at which it was due first. */
export function sealedDelivery<D extends Sealed>(delivery: D, settings: Settings, secrets: ClientSecrets): D {
  const jwt = jwtOf(settings)
  const member = jwt && memberOf(jwt)
  const { body, verbatim, plan, webhookId, createdAt, dueAt } = delivery
  if (jwt === null) return delivery
  const isToken = member !== null && !verbatim && isClaims(body)
  if (!isToken && !hasTokenMark(body)) return delivery
  const { sign, timestampMs = 0 } = faultsAt(plan, 1)
  const secret = secretOf(jwt, secrets, { isForged: sign === 'wrong' })
  const signedAt = settings['webhook.signTime'] === 'virtual' ? (dueAt ?? createdAt) : wallNow()
  const make = (claims: string) => token(claims, jwt, { secret, webhookId, at: signedAt + timestampMs })
  const sealed = isToken ? JSON.stringify({ [member]: make(body) }) : withTokens(body, webhookId, make)
  return { ...delivery, body: sealed }
}
