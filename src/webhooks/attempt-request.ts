import { Readable } from 'node:stream'
import type { Settings } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { ClaimedDelivery } from '../domain/webhook/delivery.ts'
import type { Headers, Signing } from '../domain/webhook/faults/fault.ts'
import { type AttemptFaults, bodyWith, headersWith, signingWith } from '../domain/webhook/faults/faults.ts'
import { hmac, sign } from '../domain/webhook/signature.ts'

/** The HTTP request with which an attempt is sent. */
export interface AttemptRequest {
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable
}

/** The times that an attempt can be signed with: the wall clock and the client's clock. */
interface AttemptTimes {
  readonly wallNow: EpochMs
  readonly now: EpochMs
}

/** Builds the HTTP request of one attempt, with its faults. */
export function attemptRequest(
  delivery: Pick<ClaimedDelivery, 'webhookId' | 'body'>,
  faults: AttemptFaults,
  { client, settings, times }: { client: Client; settings: Settings; times: AttemptTimes },
): AttemptRequest {
  const signing = signingWith(faults, client, times.now)
  const headers = { ...headersWith(faults, signedHeaders(delivery, signing, settings, times)) }
  const { sent, announced } = bodyWith(faults, delivery.body)
  return faults.cut === undefined ? { headers, body: sent } : cutOff(headers, sent, announced)
}

/** The headers of one attempt: a fresh timestamp and signatures, the same `webhook-id` each time (N38).
 *  The timestamp is the wall clock's unless `webhook.signTime` says otherwise: verifiers refuse old times. */
function signedHeaders(
  { webhookId, body }: Pick<ClaimedDelivery, 'webhookId' | 'body'>,
  { signatures, apiSecret, shiftMs, signed }: Signing,
  settings: Settings,
  { wallNow, now }: AttemptTimes,
): Headers {
  const plain = { 'content-type': 'application/json', 'user-agent': 'payment-order-emulator' }
  const auth = settings['webhook.auth']
  if (auth === 'none') return plain
  if (auth === 'hmac-body') return { ...plain, ...(signed && { signature: sign(body, apiSecret) }) }
  const signedAt = (settings['webhook.signTime'] === 'virtual' ? now : wallNow) + shiftMs
  const timestamp = String(Math.floor(signedAt / 1000))
  const content = `${webhookId}.${timestamp}.${body}`
  const each = signatures.map(({ version, secret }) => `${version},${standardSignature(content, secret)}`)
  return {
    ...plain,
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(signed && { 'webhook-signature': each.join(' ') }),
  }
}

/** The signature of Standard Webhooks. Its package, which the tests use to check this, computes SHA-256 in
 *  JavaScript, several times slower. */
const standardSignature = (signed: string, secret: string): string =>
  hmac(signed, Buffer.from(secret.slice('whsec_'.length), 'base64'))

/** Sends a part of the body, then breaks the connection. */
function cutOff(headers: Record<string, string>, sent: Buffer, announced: number): AttemptRequest {
  async function* broken() {
    yield sent
    // Cut in a later turn of the event loop, so that the bytes have been sent.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(`cut on purpose after ${sent.length} of ${announced} bytes`)
  }
  return { headers: { ...headers, 'content-length': String(announced) }, body: Readable.from(broken()) }
}
