import type { Settings } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { ClaimedDelivery } from '../domain/webhook/delivery.ts'
import type { Headers } from '../domain/webhook/faults/fault.ts'
import { type AttemptFaults, signingWith } from '../domain/webhook/faults/faults.ts'
import {
  hasTokenMark,
  isClaims,
  type Jwt,
  jwtOf,
  secretOf,
  token,
  withTokens,
} from '../domain/webhook/jwt.ts'
import { recipeOf } from '../domain/webhook/recipe.ts'
import { signedHeaders, writtenTime } from '../domain/webhook/signed-headers.ts'

/** The times that an attempt can be signed with: the wall clock and the client's clock. */
interface AttemptTimes {
  readonly wallNow: EpochMs
  readonly now: EpochMs
}

/** The parts of a delivery that are signed. */
export type Attempted = Pick<ClaimedDelivery, 'webhookId' | 'clientId' | 'body' | 'plan'>

/** Everything else that decides about its signatures. */
export interface SigningContext {
  readonly client: Client
  readonly settings: Settings
  readonly times: AttemptTimes
}

/** The headers with the signatures of one attempt: a fresh time and signatures, the same id each time (N38, N73). */
export function signatureHeaders(
  { webhookId, clientId, body }: Attempted,
  faults: AttemptFaults,
  { client, settings, times }: SigningContext,
): { headers: Headers; count: number } {
  const recipe = recipeOf(settings)
  if (recipe === null) return { headers: {}, count: 0 }
  const { signatures, shiftMs, signed } = signingWith(faults, client, recipe, times.now)
  const timestamp = writtenTime(recipe, signingTime(settings, times) + shiftMs)
  const made = signed ? signatures : []
  return {
    headers: signedHeaders(
      recipe,
      { id: webhookId, clientId, body, timestamp, url: client.webhookUrl },
      made,
    ),
    count: made.length,
  }
}

/** The header with the token of one attempt, if tokens are sent in a header (N74). */
export function tokenHeader(delivery: Attempted, faults: AttemptFaults, context: SigningContext): Headers {
  const jwt = jwtOf(context.settings)
  if (jwt?.header === undefined || faults.sign === 'none' || !isClaims(delivery.body)) return {}
  return { [jwt.header]: tokenFor(delivery.body, jwt, delivery, faults, context) }
}

/** Fills the tokens that headers name as `${jwt}`. Without signatures, such a header is left out. */
export function withTokenHeaders(
  headers: Headers,
  delivery: Attempted,
  faults: AttemptFaults,
  context: SigningContext,
): Headers {
  const jwt = jwtOf(context.settings)
  const filled = Object.entries(headers).flatMap(([name, text]) => {
    if (!hasTokenMark(text)) return [[name, text]]
    if (jwt === null || faults.sign === 'none') return []
    const make = (claims: string) => tokenFor(claims, jwt, delivery, faults, context)
    return [[name, withTokens(text, delivery.webhookId, make)]]
  })
  return Object.fromEntries(filled)
}

function tokenFor(
  claims: string,
  jwt: Jwt,
  { webhookId }: Attempted,
  { sign, timestampMs = 0 }: AttemptFaults,
  { client, settings, times }: SigningContext,
): string {
  const secret = secretOf(jwt, client, { isForged: sign === 'wrong' })
  return token(claims, jwt, { secret, webhookId, at: signingTime(settings, times) + timestampMs })
}

/** The time that is signed: the wall clock's unless `webhook.signTime` says otherwise, because verifiers refuse old
 *  times. */
const signingTime = (settings: Settings, { wallNow, now }: AttemptTimes): EpochMs =>
  settings['webhook.signTime'] === 'virtual' ? now : wallNow
