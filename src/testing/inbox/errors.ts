import type { ReceivedWebhook } from './received-webhook.ts'

/** A webhook that was waited for did not come. The message tells what did, which deliveries have failed, and, where
 *  time stands still, what is due next. */
export class WebhookMissing extends Error {
  override readonly name = 'WebhookMissing'
  /** All that the inbox has got, those already taken too. */
  readonly webhooks: readonly ReceivedWebhook[]

  constructor(message: string, webhooks: readonly ReceivedWebhook[]) {
    super(message)
    this.webhooks = webhooks
  }
}

/** Webhooks have come that should not have. */
export class UnexpectedWebhook extends Error {
  override readonly name = 'UnexpectedWebhook'
  /** Those that should not have. */
  readonly webhooks: readonly ReceivedWebhook[]

  constructor(message: string, webhooks: readonly ReceivedWebhook[]) {
    super(message)
    this.webhooks = webhooks
  }
}
