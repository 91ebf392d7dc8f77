import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from './payment-service.js'
import { Unclear } from './transport.js'
import { WorkQueue } from './work-queue.js'

const attemptsAtOnce = 4
const attemptsInAll = 12
const refundsForMs = 30 * 24 * 3_600_000

/** What the shop does about payments. It believes nobody but the service, and only when it asks. */
export class Checkout {
  #orders
  #service
  #queue
  #opening = new Set()
  #clockAheadMs = 0

  constructor(orders, service) {
    this.#orders = orders
    this.#service = service
    this.#queue = new WorkQueue((requestId) => this.settle(requestId), 5)
  }

  setClock(nowMs) {
    this.#clockAheadMs = nowMs - Date.now()
  }

  /** Keeps the order before the service hears of it: its webhook may come before its answer. */
  async begin(wanted) {
    const requestId = randomUUID()
    this.#orders.add({ ...wanted, requestId })
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
    const payments = await this.#service.lookUp(requestId)
    this.#orders.settle(requestId, payments, this.#now())
  }

  /** Looks after all that is open, and after refunds of the last month. */
  async reconcile(withRefunds) {
    await inTurns(this.#orders.open(), (requestId) => this.#lookAfter(requestId))
    if (withRefunds)
      await inTurns(this.#orders.paidSince(this.#now() - refundsForMs), (id) => this.#refunds(id))
  }

  async #lookAfter(requestId) {
    await this.settle(requestId)
    const { opened, status } = this.#orders.find(requestId)
    if (!opened && status === 'waiting') await this.#open(requestId)
  }

  async #refunds(requestId) {
    const { refunds, failure } = await this.#service.lookUpRefunds(requestId)
    const order = this.#orders.find(requestId)
    order.refunds = refunds
    order.refundFailure = failure
  }

  async #open(requestId) {
    if (this.#opening.has(requestId)) return
    this.#opening.add(requestId)
    try {
      for (let attempt = 0; attempt < attemptsAtOnce; attempt++) {
        const pauseMs = await this.#tryToOpen(this.#orders.find(requestId))
        if (pauseMs === null) return
        await sleep(Math.max(pauseMs, 200 * 2 ** attempt))
      }
    } finally {
      this.#opening.delete(requestId)
    }
  }

  /** The same requestId each time, so that there is one order at most.
   *  @returns how long to wait before the next attempt, milliseconds; null if none is needed */
  async #tryToOpen(order) {
    if (order.opened || order.status !== 'waiting') return null
    try {
      if (order.attempts > 0) await this.settle(order.requestId)
      if (order.opened) return null
      if (order.attempts >= attemptsInAll) return this.#decline(order, 'tried too often')
      order.attempts += 1
      order.token = await this.#create(order)
      order.opened = true
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
    this.#orders.decline(requestId)
    return null
  }

  #now() {
    return Date.now() + this.#clockAheadMs
  }
}

/** Four at a time; what goes wrong with one holds up no other. */
async function inTurns(ids, act) {
  const left = [...ids]
  const go = async () => {
    for (let id = left.pop(); id; id = left.pop())
      await act(id).catch((error) => console.error(`${id}: ${error.message}`))
  }
  await Promise.all([go(), go(), go(), go()])
}
