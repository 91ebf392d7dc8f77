import { Webhook } from 'standardwebhooks'
import type { Settings } from '../domain/choices.ts'
import type { Client } from '../domain/client.ts'
import type { NewDelivery } from '../domain/delivery.ts'
import { sign } from '../domain/signature.ts'
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
  const signedAt = new Date(settings['webhook.signTime'] === 'virtual' ? times.now : times.wallNow)
  return {
    ...plain,
    'webhook-id': delivery.webhookId,
    'webhook-timestamp': Math.floor(signedAt.getTime() / 1000).toString(),
    'webhook-signature': new Webhook(secrets.webhookSecret).sign(delivery.webhookId, signedAt, delivery.body),
  }
}
