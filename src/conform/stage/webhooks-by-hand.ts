import type { Delivery, HandMadeDelivery } from '../../index.ts'
import { ControlCallRefused } from '../../index.ts'
import { NotSeen } from '../finding.ts'
import { handMadeWords } from './hand-made-words.ts'
import type { Stage } from './stage.ts'

/** Webhooks that a case sends by itself, beside those that the service owes. */
export class WebhooksByHand {
  /** Those that no order has caused, as they were when they had been answered. */
  readonly sent: Delivery[] = []
  readonly #stage: Stage
  readonly #putBack: () => Promise<void>

  /** @param putBack sets the webhook URL again */
  constructor(stage: Stage, putBack: () => Promise<void>) {
    this.#stage = stage
    this.#putBack = putBack
  }

  /** Sends a webhook; answers once it has been answered.
   *  @param words what the time line says of it
   *  @throws NotSeen if the application takes none */
  async send(webhook: HandMadeDelivery, words = handMadeWords(webhook)): Promise<Delivery> {
    const { app, client } = this.#stage
    if (app.webhookUrl === null)
      throw new NotSeen('it needs `webhookUrl`: the URL where your application receives webhooks')
    this.#stage.note(words, { about: webhook.event?.requestId })
    const delivery = await this.#pastPause(() => client.deliveries.send(webhook))
    this.sent.push(delivery)
    return delivery
  }

  /** Sends a delivery once more, and waits until it has been answered. */
  async resend({ id, orderStatus }: Delivery): Promise<void> {
    // It may still be on its way, to an application that takes its time.
    await this.#stage.settle()
    this.#stage.note(`sends the webhook of ${orderStatus} again`)
    await this.#pastPause(() => this.#stage.client.deliveries.resend(id))
    await this.#stage.settle()
  }

  /** An application that has answered 410 gets nothing more until its URL is set again. */
  async #pastPause<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ControlCallRefused) || error.code !== 'webhook_paused') throw error
      this.#stage.note(
        'sets the webhook URL again, since the application has answered 410, which pauses its webhooks',
      )
      await this.#putBack()
      return send()
    }
  }
}
