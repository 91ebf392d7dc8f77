import { Readable } from 'node:stream'
import type { Settings } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { ClaimedDelivery } from '../domain/webhook/delivery.ts'
import type { Headers } from '../domain/webhook/faults/fault.ts'
import { type AttemptFaults, bodyWith, headersWith, signingWith } from '../domain/webhook/faults/faults.ts'
import { isClaims, jwtOf, secretOf, token } from '../domain/webhook/jwt.ts'
import { recipeOf } from '../domain/webhook/recipe.ts'
import { signedHeaders, writtenTime } from '../domain/webhook/signed-headers.ts'

/** The HTTP request with which an attempt is sent. */
export interface AttemptRequest {
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable
  /** Whether it carries more than one signature. */
  readonly severalSignatures?: boolean | undefined
}

/** The times that an attempt can be signed with: the wall clock and the client's clock. */
interface AttemptTimes {
  readonly wallNow: EpochMs
  readonly now: EpochMs
}

type Attempted = Pick<ClaimedDelivery, 'webhookId' | 'clientId' | 'body' | 'plan'>

interface RequestContext {
  readonly client: Client
  readonly settings: Settings
  readonly times: AttemptTimes
}

/** Builds the HTTP request of one attempt, with its faults. */
export function attemptRequest(
  delivery: Attempted,
  faults: AttemptFaults,
  context: RequestContext,
): AttemptRequest {
  const plain = {
    'content-type': 'application/json',
    'user-agent': 'payment-order-emulator',
    ...delivery.plan?.headers,
  }
  const { headers: signatures, count } = signatureHeaders(delivery, faults, context)
  const signed = { ...plain, ...tokenHeader(delivery, faults, context), ...signatures }
  const headers = { ...headersWith(faults, signed) }
  const severalSignatures = count > 1
  const { sent, announced } = bodyWith(faults, delivery.body)
  if (faults.cut === undefined) return { headers, body: sent, severalSignatures }
  const cutHeaders = { ...headers, 'content-length': String(announced) }
  return { headers: cutHeaders, body: cutOff(sent, announced), severalSignatures }
}

/** The headers with the signatures of one attempt: a fresh time and signatures, the same id each time (N38, N73). */
function signatureHeaders(
  { webhookId, clientId, body }: Attempted,
  faults: AttemptFaults,
  { client, settings, times }: RequestContext,
): { headers: Headers; count: number } {
  const recipe = recipeOf(settings)
  if (recipe === null) return { headers: {}, count: 0 }
  const { signatures, shiftMs, signed } = signingWith(faults, client, recipe, times.now)
  const timestamp = writtenTime(recipe, signingTime(settings, times) + shiftMs)
  const made = signed ? signatures : []
  return {
    headers: signedHeaders(recipe, { id: webhookId, clientId, body, timestamp }, made),
    count: made.length,
  }
}

/** The header with the token of one attempt, if tokens are sent in a header (N74). */
function tokenHeader(
  { webhookId, body }: Attempted,
  { sign, timestampMs = 0 }: AttemptFaults,
  { client, settings, times }: RequestContext,
): Headers {
  const jwt = jwtOf(settings)
  if (jwt?.header === undefined || sign === 'none' || !isClaims(body)) return {}
  const secret = secretOf(jwt, client, { isForged: sign === 'wrong' })
  return {
    [jwt.header]: token(body, jwt, { secret, webhookId, at: signingTime(settings, times) + timestampMs }),
  }
}

/** The time that is signed: the wall clock's unless `webhook.signTime` says otherwise, because verifiers refuse old
 *  times. */
const signingTime = (settings: Settings, { wallNow, now }: AttemptTimes): EpochMs =>
  settings['webhook.signTime'] === 'virtual' ? now : wallNow

/** Sends a part of the body, then breaks the connection. */
function cutOff(sent: Buffer, announced: number): Readable {
  async function* broken() {
    yield sent
    // Cut in a later turn of the event loop, so that the bytes have been sent.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(`cut on purpose after ${sent.length} of ${announced} bytes`)
  }
  return Readable.from(broken())
}
