import { ControlCallRefused, type Delivery, type HandMadeDelivery } from '../../index.ts'
import { NotSeen } from '../finding.ts'
import type { CaseContext } from './case-context.ts'

/** Webhooks that a case sends, in addition to those of the service. */
export class WebhooksByHand {
  /** Webhooks that no order has caused, as they were when they were answered. */
  readonly sent: Delivery[] = []
  readonly #case: CaseContext
  readonly #putBack: () => Promise<void>

  /** @param putBack restores the webhook URL */
  constructor(context: CaseContext, putBack: () => Promise<void>) {
    this.#case = context
    this.#putBack = putBack
  }

  /** Sends a webhook, and waits for its answer.
   *  @param words for the timeline
   *  @throws NotSeen if the application accepts none */
  async send(webhook: HandMadeDelivery, words = handMadeWords(webhook)): Promise<Delivery> {
    const { app, client } = this.#case
    if (app.webhookUrl === null)
      throw new NotSeen('it needs `webhookUrl`: the URL where your application receives webhooks')
    this.#case.note(words, { about: webhook.event?.requestId })
    const delivery = await this.#pastPause(() => client.deliveries.send(webhook))
    this.sent.push(delivery)
    return delivery
  }

  /** Sends a delivery again, and waits for its answer. */
  async resend({ id, orderStatus }: Delivery): Promise<void> {
    // The delivery may still be in flight if the application is slow.
    await this.#case.settle()
    this.#case.note(`sends the webhook of ${orderStatus} again`)
    await this.#pastPause(() => this.#case.client.deliveries.resend(id))
    await this.#case.settle()
  }

  /** Sends to an application that has answered 410, which receives nothing until its URL is set again. */
  async #pastPause<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ControlCallRefused) || error.code !== 'webhook_paused') throw error
      this.#case.note(
        'sets the webhook URL again, since the application has answered 410, which pauses its webhooks',
      )
      await this.#putBack()
      return send()
    }
  }
}

/** Describes a webhook that is sent by hand, for the timeline: `has a webhook of COMPLETED sent by hand, with tamper
 *  true`. The finding has its bytes. */
export function handMadeWords({ event, body, clientId: _, ...oddities }: HandMadeDelivery): string {
  const which = event?.orderStatus === undefined ? '' : ` of ${event.orderStatus}`
  const own = body === undefined ? [] : ['its own body']
  const odd = Object.entries(oddities).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  const words = [...own, ...odd].join(', ')
  return `has a webhook${which} sent by hand${words === '' ? '' : `, with ${words}`}`
}
