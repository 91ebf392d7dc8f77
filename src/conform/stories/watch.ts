import type { TestClient } from '../../index.ts'
import { type Attempt, isTaken } from '../evidence/webhook-answer.ts'
import type { PlayedOrder } from './played-order.ts'

/** Says what happened in each step of stories, by looking at their orders after each. */
export class Watch {
  readonly #client: TestClient
  readonly #orders: readonly PlayedOrder[]
  readonly #steps = new Map<string, string[]>()
  readonly #last = new Map<string, string>()

  constructor(client: TestClient, orders: readonly PlayedOrder[]) {
    this.#client = client
    this.#orders = orders
  }

  /** What happened in each step so far, by what has changed: `order COMPLETED; webhook COMPLETED held`. */
  of(requestId: string): string[] {
    return this.#steps.get(requestId) ?? []
  }

  async look(): Promise<void> {
    for (const order of this.#orders) {
      const changes = [
        ...(await this.#atTheService(order)),
        ...(await this.#webhooks(order)),
        ...(await this.#atTheApplication(order)),
      ]
      const { requestId } = order
      this.#steps.set(requestId, [...this.of(requestId), changes.join('; ')])
    }
  }

  async #atTheService({ requestId, orderId }: PlayedOrder): Promise<string[]> {
    const { orderStatus, refunds } = await this.#client.orders.get({ orderId })
    return [
      ...this.#changed(`status ${requestId}`, `order ${orderStatus}`),
      ...(refunds.length > 0 ? this.#changed(`refunds ${requestId}`, `refunds ${refunds.length}`) : []),
    ]
  }

  async #webhooks({ requestId, forged }: PlayedOrder): Promise<string[]> {
    const all = await this.#client.deliveries.list({ requestId })
    return all.flatMap(({ id, orderStatus, status, attempts }) => {
      const last = attempts.at(-1)
      const answer = last === undefined ? status : answerWords(last)
      const kind = forged.has(id) ? 'forged webhook' : 'webhook'
      const times = attempts.length > 1 ? ` (${attempts.length} times)` : ''
      return this.#changed(`webhook ${id}`, `${kind} ${orderStatus} ${answer}${times}`)
    })
  }

  async #atTheApplication(order: PlayedOrder): Promise<string[]> {
    const seen = await order.probe()
    if (seen === null) return []
    return this.#changed(
      `probe ${order.requestId}`,
      `released ${seen.effects ?? 0}, ${JSON.stringify(seen.word)}`,
    )
  }

  #changed(what: string, words: string): string[] {
    if (this.#last.get(what) === words) return []
    this.#last.set(what, words)
    return [words]
  }
}

function answerWords(attempt: Attempt): string {
  if (attempt.status === null) return attempt.outcome === 'timeout' ? 'not answered in time' : 'not answered'
  return isTaken(attempt) ? 'accepted' : `answered ${attempt.status}`
}
