import { Readable } from 'node:stream'
import { type AttemptFaults, bodyOnTheWire } from '../domain/attempt-faults.ts'
import type { Settings } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import { wrongKey } from '../domain/signature.ts'
import type { EpochMs } from '../domain/time.ts'
import { attemptHeaders } from './signing.ts'

/** What leaves in one attempt. */
export interface AttemptRequest {
  readonly headers: Record<string, string>
  readonly body: string | Buffer | Readable
}

/** One attempt of a delivery as it goes over the wire, with what is wrong with it on purpose. */
export function attemptRequest(
  delivery: Pick<ClaimedDelivery, 'webhookId' | 'body'>,
  faults: AttemptFaults,
  {
    client,
    settings,
    times,
  }: { client: Client; settings: Settings; times: { wallNow: EpochMs; now: EpochMs } },
): AttemptRequest {
  const { timestampMs = 0, cut, tamper, truncate } = faults
  const secrets = faults.sign === 'wrong' ? wrongSecrets(client) : client
  const signed = attemptHeaders(delivery, secrets, settings, {
    wallNow: times.wallNow + timestampMs,
    now: times.now + timestampMs,
  })
  const headers = laidOver(signed, faults)
  if (cut === undefined && tamper === undefined && truncate === undefined)
    return { headers, body: delivery.body }
  const { sent, announced } = bodyOnTheWire(delivery.body, faults)
  return cut === undefined ? { headers, body: sent } : cutOff(headers, sent, announced)
}

function wrongSecrets({ webhookSecret, apiSecret }: Client): Pick<Client, 'webhookSecret' | 'apiSecret'> {
  return { webhookSecret: `whsec_${wrongKey(webhookSecret)}`, apiSecret: wrongKey(apiSecret) }
}

function laidOver(signed: Record<string, string>, { sign, headers }: AttemptFaults): Record<string, string> {
  if (sign !== 'none' && headers === undefined) return signed
  const unsigned = sign === 'none' ? { 'webhook-signature': null, signature: null } : {}
  const all: Readonly<Record<string, string | null>> = { ...signed, ...unsigned, ...headers }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

/** A body of which only so much is sent; then the connection breaks. */
function cutOff(headers: Record<string, string>, sent: Buffer, announced: number): AttemptRequest {
  async function* broken() {
    yield sent
    // In a later turn, so that the bytes have left.
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error(`cut on purpose after ${sent.length} of ${announced} bytes`)
  }
  return { headers: { ...headers, 'content-length': String(announced) }, body: Readable.from(broken()) }
}
