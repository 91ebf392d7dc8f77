import type { Settings } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { hmac, sign } from '../domain/signature.ts'
import type { EpochMs } from '../domain/time.ts'

/** The headers of one attempt: a fresh timestamp and signature, the same `webhook-id` each time (N38).
 *  The timestamp is the wall's unless `webhook.signTime` says otherwise: verifiers refuse old times. */
export function attemptHeaders(
  delivery: Pick<NewDelivery, 'webhookId' | 'body'>,
  secrets: Pick<Client, 'webhookSecret' | 'apiSecret'>,
  settings: Settings,
  times: { wallNow: EpochMs; now: EpochMs },
): Record<string, string> {
  const plain = { 'content-type': 'application/json', 'user-agent': 'payment-order-emulator' }
  const auth = settings['webhook.auth']
  if (auth === 'none') return plain
  if (auth === 'hmac-body') return { ...plain, signature: sign(delivery.body, secrets.apiSecret) }
  const signedAt = settings['webhook.signTime'] === 'virtual' ? times.now : times.wallNow
  const timestamp = String(Math.floor(signedAt / 1000))
  const signed = `${delivery.webhookId}.${timestamp}.${delivery.body}`
  return {
    ...plain,
    'webhook-id': delivery.webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standardSignature(signed, secrets.webhookSecret)}`,
  }
}

/** As Standard Webhooks has it. Not by its package, with which the tests check this: that computes SHA-256 in JavaScript,
 *  several times slower. */
const standardSignature = (signed: string, secret: string): string =>
  hmac(signed, Buffer.from(secret.slice(prefix.length), 'base64'))

const prefix = 'whsec_'
