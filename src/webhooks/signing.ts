import { Webhook } from 'standardwebhooks'
import type { Settings } from '../domain/choices.ts'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import type { EpochMs } from '../domain/time.ts'

/** The headers of one attempt: a fresh timestamp and signature, the same `webhook-id` each time (N38).
 *  The timestamp is the wall's unless `webhook.signTime` says otherwise: verifiers refuse old times. */
export function attemptHeaders(
  delivery: ClaimedDelivery,
  webhookSecret: string,
  settings: Settings,
  times: { wallNow: EpochMs; now: EpochMs },
): Record<string, string> {
  const plain = { 'content-type': 'application/json', 'user-agent': 'payment-order-emulator' }
  if (settings['webhook.auth'] === 'none') return plain
  const signedAt = new Date(settings['webhook.signTime'] === 'virtual' ? times.now : times.wallNow)
  return {
    ...plain,
    'webhook-id': delivery.webhookId,
    'webhook-timestamp': Math.floor(signedAt.getTime() / 1000).toString(),
    'webhook-signature': new Webhook(webhookSecret).sign(delivery.webhookId, signedAt, delivery.body),
  }
}
