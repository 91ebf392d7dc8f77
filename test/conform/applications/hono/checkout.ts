import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { NoClearAnswer } from './http.ts'
import type { NewOrder, Order, Orders } from './orders.ts'
import { type PaymentService, Refused } from './payment-service.ts'

const attemptsAtOnce = 4
const attemptsInAll = 12
const longestWaitMs = 10_000
const refundsForMs = 30 * 24 * 3_600_000

/** What the shop does about payments. What is paid is decided by one thing alone: what the service says when it is
 *  asked. A webhook, a browser that comes back and the poller are occasions to ask. */
export class Checkout {
  readonly #orders: Orders
  readonly #service: PaymentService
  readonly #opening = new Set<string>()
  /** Milliseconds by which a test has moved this shop's clock. */
  #clockAheadMs = 0

  constructor(orders: Orders, service: PaymentService) {
    this.#orders = orders
    this.#service = service
  }

  setClock(nowMs: number): void {
    this.#clockAheadMs = nowMs - Date.now()
  }

  /** Keeps the order first, because a webhook may be faster than the answer, and opens it at the service. */
  async begin(wanted: Omit<NewOrder, 'requestId'>): Promise<string> {
    const requestId = randomUUID()
    this.#orders.add({ ...wanted, requestId })
    await this.#open(requestId)
    return requestId
  }

  /** Asks what has become of an order, and acts on it. An unknown order is nobody's business here.
   *  @throws NoClearAnswer */
  async settle(requestId: string): Promise<void> {
    if (this.#orders.find(requestId) === undefined) return
    const charges = await this.#service.charges(requestId)
    if (charges.length > 0) this.#orders.settle(requestId, charges, this.#now())
  }

  /** Looks after every order that is not decided, and after refunds. */
  async reconcile(withRefunds: boolean): Promise<void> {
    await eachOf(this.#orders.open(), (requestId) => this.#lookAfter(requestId))
    if (!withRefunds) return
    await eachOf(this.#orders.paidSince(this.#now() - refundsForMs), async (requestId) =>
      this.#orders.refunded(requestId, await this.#service.refunds(requestId)),
    )
  }

  async #lookAfter(requestId: string): Promise<void> {
    await this.settle(requestId)
    const order = this.#orders.find(requestId)
    if (order && !order.opened && order.status === 'waiting') await this.#open(requestId)
  }

  /** Tries a few times, since somebody waits; the poller goes on later. */
  async #open(requestId: string): Promise<void> {
    if (this.#opening.has(requestId)) return
    this.#opening.add(requestId)
    try {
      for (let attempt = 0; attempt < attemptsAtOnce; attempt++) {
        const order = this.#orders.find(requestId)
        if (!order || order.opened || order.status !== 'waiting') return
        if (attempt > 0)
          await pause(Math.max(100 * 2 ** attempt, Math.min(this.#service.pauseMs, longestWaitMs)))
        if (order.attempts === 0 || !(await this.#isThere(requestId))) await this.#attempt(order)
      }
    } finally {
      this.#opening.delete(requestId)
    }
  }

  async #attempt(order: Order): Promise<void> {
    if (order.attempts >= attemptsInAll) return this.#orders.decline(order.requestId)
    try {
      this.#orders.attempted(order.requestId)
      this.#orders.opened(order.requestId, await this.#service.create(order))
    } catch (error) {
      if (error instanceof Refused) this.#orders.decline(order.requestId)
      else if (!(error instanceof NoClearAnswer)) throw error
      console.error(`Order ${order.requestId} is not opened: ${error.message}`)
    }
  }

  /** Whether an attempt without an answer has made the order after all. */
  async #isThere(requestId: string): Promise<boolean> {
    const charges = await this.#service.charges(requestId).catch(() => [])
    if (charges.length > 0) this.#orders.opened(requestId, null)
    return charges.length > 0
  }

  #now(): number {
    return Date.now() + this.#clockAheadMs
  }
}

/** One that makes trouble must not keep back the others. */
async function eachOf(ids: readonly string[], act: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids]
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      await act(id).catch((error) => console.error(`Order ${id}: ${error}`))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
