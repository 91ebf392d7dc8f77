import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from './payment-service.js'
import { Unclear } from './transport.js'
import { WorkQueue } from './work-queue.js'

const attemptsAtOnce = 4
const attemptsInAll = 12
const minute = 60_000
const day = 24 * 60 * minute
/** Time for the payment. */
const timeToPay = 90 * minute
/** By status: how long an order is looked up after it ended. Unpaid orders may still be paid, paid ones refunded. */
const lookedUpFor = {
  declined: 2 * day,
  cancelled: 2 * day,
  expired: 2 * day,
  'paid late': 0,
  paid: 30 * day,
}

/** What the shop does about payments. It believes nobody but the service, and only when it asks. */
export class Checkout {
  #orders
  #service
  #queue
  #pollMs
  #opening = new Set()
  #clockAheadMs = 0

  constructor(orders, service, { pollMs }) {
    this.#orders = orders
    this.#service = service
    this.#pollMs = pollMs
    this.#queue = new WorkQueue((requestId) => this.settle(requestId), 5)
  }

  setClock(nowMs) {
    this.#clockAheadMs = nowMs - Date.now()
  }

  /** Keeps the order before the service hears of it: its webhook may come before its answer. A cart that is submitted
   *  again gets the same order. */
  async begin(wanted) {
    const requestId = this.#orders.ofCart(wanted.cart)?.requestId ?? randomUUID()
    if (!this.#orders.find(requestId)) this.#orders.add({ ...wanted, requestId }, this.#now())
    await this.#open(requestId)
    return this.#orders.find(requestId)
  }

  /** Has an order looked up soon. */
  lookAt(requestId) {
    if (this.#orders.find(requestId)) this.#queue.add(requestId)
  }

  /** Looks an order up and does what follows. */
  async settle(requestId) {
    if (!this.#orders.find(requestId)) return
    this.#lookLater(requestId)
    const payments = await this.#service.lookUp(requestId)
    this.#orders.settle(requestId, payments, this.#now())
  }

  /** Cancels an order unless it is paid. @throws Unclear */
  async cancel(requestId) {
    await this.settle(requestId)
    this.#orders.end(requestId, 'cancelled', this.#now())
  }

  /** Looks up the orders whose next lookup is due. */
  async poll() {
    const due = this.#undecided().filter(({ nextLookAt }) => nextLookAt <= this.#now())
    await inTurns(due, (order) => this.#lookAfter(order))
  }

  /** Looks up all orders that may still change. */
  async reconcile() {
    await inTurns(this.#undecided(), (order) => this.#lookAfter(order))
  }

  /** The orders that may still change. */
  #undecided() {
    const isOpen = ({ kind, status, decidedAt }) =>
      status === 'waiting' || kind === 'subscription' || this.#now() - decidedAt < lookedUpFor[status]
    return this.#orders.all().filter(isOpen)
  }

  async #lookAfter({ requestId, kind, status }) {
    if (status !== 'paid' || kind === 'subscription') await this.settle(requestId)
    const now = this.#orders.find(requestId)
    if (now.status === 'paid') await this.#lookForRefunds(requestId)
    if (now.status !== 'waiting') return
    if (!now.opened) await this.#open(requestId)
    else if (kind === 'checkout' && this.#now() - now.createdAt > timeToPay)
      this.#orders.end(requestId, 'expired', this.#now())
  }

  async #lookForRefunds(requestId) {
    this.#lookLater(requestId)
    const { refunds, failure } = await this.#service.lookUpRefunds(requestId)
    this.#orders.change(requestId, { refunds, refundFailure: failure })
  }

  /** Schedules the next lookup: after a few seconds while the customer may be paying, then later and later. */
  #lookLater(requestId) {
    const order = this.#orders.find(requestId)
    const age = this.#now() - (order.decidedAt ?? order.createdAt)
    const longest = order.status === 'waiting' && age < 15 * minute ? 5_000 : 60 * minute
    order.nextLookAt = this.#now() + Math.min(Math.max(age / 3, this.#pollMs), longest)
  }

  async #open(requestId) {
    if (this.#opening.has(requestId)) return
    this.#opening.add(requestId)
    try {
      for (let attempt = 1; ; attempt++) {
        const pauseMs = await this.#tryToOpen(this.#orders.find(requestId))
        if (pauseMs === null || attempt === attemptsAtOnce) return
        await sleep(Math.max(pauseMs, 100 * 2 ** attempt))
      }
    } finally {
      this.#opening.delete(requestId)
    }
  }

  /** The same requestId each time, so that there is one order at most.
   *  @returns how long to wait before the next attempt, milliseconds; null if none is needed */
  async #tryToOpen(order) {
    const { requestId } = order
    if (order.opened || order.status !== 'waiting') return null
    try {
      if (order.attempts > 0) await this.settle(requestId)
      if (order.opened) return null
      if (order.attempts >= attemptsInAll) return this.#decline(order, 'tried too often')
      this.#orders.change(requestId, { attempts: order.attempts + 1 })
      this.#orders.change(requestId, { token: await this.#create(order), opened: true })
      return null
    } catch (error) {
      if (error instanceof Unclear) return Math.min(error.retryAfterMs, 10_000)
      if (error instanceof Refused) return this.#decline(order, error.message)
      throw error
    }
  }

  #create(order) {
    const subscription = order.kind === 'subscription'
    return subscription ? this.#service.createSubscription(order) : this.#service.createCheckout(order)
  }

  #decline({ requestId }, why) {
    console.error(`${requestId} is not opened: ${why}`)
    this.#orders.end(requestId, 'declined', this.#now())
    return null
  }

  #now() {
    return Date.now() + this.#clockAheadMs
  }
}

/** Four at a time; what goes wrong with one holds up no other. */
async function inTurns(orders, act) {
  const left = [...orders]
  const go = async () => {
    for (let order = left.pop(); order; order = left.pop())
      await act(order).catch((error) => console.error(`${order.requestId}: ${error.message}`))
  }
  await Promise.all([go(), go(), go(), go()])
}
