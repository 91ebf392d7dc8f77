import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { NoClearAnswer } from './http.ts'
import type { NewOrder, Order, Orders } from './orders.ts'
import { type PaymentService, Refused } from './payment-service.ts'
import type { Settings } from './settings.ts'

const attemptsAtOnce = 4
const attemptsInAll = 12
const longestWaitMs = 10_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Grace period after `expiryTs`, and the time for a payment if the service returned no `expiryTs`. */
const graceMs = 15 * minuteMs
const usualTimeMs = 60 * minuteMs
/** How long orders are looked up after they ended: unpaid ones may be paid, paid ones refunded. */
const lateForMs = 2 * dayMs
const refundsForMs = 30 * dayMs

/** What the shop does about payments. What is paid is decided by one thing alone: what the service says when it is
 *  asked. A webhook, a browser that comes back and the poller are occasions to ask. */
export class Checkout {
  readonly #orders: Orders
  readonly #service: PaymentService
  readonly #pollMs: number
  readonly #opening = new Set<string>()
  /** Milliseconds by which a test has moved this shop's clock. */
  #clockAheadMs = 0

  constructor(orders: Orders, service: PaymentService, { pollMs }: Settings) {
    this.#orders = orders
    this.#service = service
    this.#pollMs = pollMs
  }

  setClock(nowMs: number): void {
    this.#clockAheadMs = nowMs - Date.now()
  }

  /** Keeps the order first, because a webhook may be faster than the answer, and opens it at the service. A
   *  cart that is submitted again gets the same order. */
  async begin(wanted: Omit<NewOrder, 'requestId' | 'createdAt'>): Promise<string> {
    const requestId = this.#orders.ofCart(wanted.cart) ?? this.#add(wanted)
    await this.#open(requestId)
    return requestId
  }

  #add(wanted: Omit<NewOrder, 'requestId' | 'createdAt'>): string {
    const requestId = randomUUID()
    this.#orders.add({ ...wanted, requestId, createdAt: this.#now() })
    return requestId
  }

  /** Asks what has become of an order, and acts on it. An unknown order is nobody's business here.
   *  @throws NoClearAnswer */
  async settle(requestId: string): Promise<void> {
    const order = this.#orders.find(requestId)
    if (order === undefined) return
    this.#orders.lookAgain(requestId, this.#now() + this.#pauseMs(order))
    const charges = await this.#service.charges(requestId)
    if (charges.length > 0) this.#orders.settle(requestId, charges, this.#now())
  }

  /** Cancels an order unless it is paid.
   *  @throws NoClearAnswer */
  async cancel(requestId: string): Promise<void> {
    await this.settle(requestId)
    this.#orders.end(requestId, 'cancelled', this.#now())
  }

  /** Looks up the orders whose next lookup is due. */
  async poll(): Promise<void> {
    await this.#lookAfterAll(this.#now())
  }

  /** Looks up all orders that may still change. */
  async reconcile(): Promise<void> {
    await this.#lookAfterAll(Number.MAX_SAFE_INTEGER)
  }

  async #lookAfterAll(dueBy: number): Promise<void> {
    const nowMs = this.#now()
    const open = this.#orders.open({ endedSince: nowMs - lateForMs, paidSince: nowMs - refundsForMs, dueBy })
    await eachOf(open, (requestId) => this.#lookAfter(requestId))
  }

  async #lookAfter(requestId: string): Promise<void> {
    const before = this.#orders.find(requestId)
    if (before?.status !== 'paid' || before.kind === 'subscription') await this.settle(requestId)
    const order = this.#orders.find(requestId)
    if (order?.status === 'paid') await this.#lookForRefunds(order)
    if (order?.status !== 'waiting') return
    if (!order.opened) await this.#open(requestId)
    else if (this.#isOver(order)) this.#orders.end(requestId, 'expired', this.#now())
  }

  async #lookForRefunds(order: Order): Promise<void> {
    const { requestId, decidedAt } = order
    this.#orders.lookAgain(requestId, this.#now() + this.#pauseMs(order))
    if ((decidedAt ?? 0) < this.#now() - refundsForMs) return
    this.#orders.refunded(requestId, await this.#service.refunds(requestId))
  }

  /** Whether the time for the payment is over. A subscription has no end. */
  #isOver({ kind, createdAt, expiresAt }: Order): boolean {
    return kind === 'checkout' && this.#now() > (expiresAt ?? createdAt + usualTimeMs) + graceMs
  }

  /** The pause before the next lookup: a few seconds while the customer may be paying, then longer and longer. */
  #pauseMs({ status, createdAt, decidedAt }: Order): number {
    const ageMs = this.#now() - (decidedAt ?? createdAt)
    const longestMs = status === 'waiting' && ageMs < 15 * minuteMs ? 5_000 : 60 * minuteMs
    return Math.min(Math.max(Math.round(ageMs / 3), this.#pollMs), longestMs)
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
    const { requestId } = order
    if (order.attempts >= attemptsInAll) return this.#orders.end(requestId, 'declined', this.#now())
    try {
      this.#orders.attempted(requestId)
      const { token, expiresAt } = await this.#service.create(order)
      this.#orders.opened(requestId, token, expiresAt)
    } catch (error) {
      if (error instanceof Refused) this.#orders.end(requestId, 'declined', this.#now())
      else if (!(error instanceof NoClearAnswer)) throw error
      console.error(`Order ${requestId} is not opened: ${error.message}`)
    }
  }

  /** Whether an attempt without an answer has made the order after all. */
  async #isThere(requestId: string): Promise<boolean> {
    const charges = await this.#service.charges(requestId).catch(() => [])
    if (charges.length > 0) this.#orders.opened(requestId, null, null)
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
