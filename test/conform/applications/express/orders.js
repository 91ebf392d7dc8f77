/** Orders and the parcels sent for them, in memory, with each change in a journal. All methods are synchronous, so that
 *  no other work runs between a check and its effect. */
export class Orders {
  #orders = new Map()
  #journal

  constructor(journal) {
    this.#journal = journal
    // The last line of an order has its latest state.
    for (const order of journal.read())
      this.#orders.set(order.requestId, { ...order, parcels: new Set(order.parcels), nextLookAt: 0 })
  }

  /** @param nowMs the time on the shop's clock */
  add(order, nowMs) {
    this.#orders.set(order.requestId, {
      ...order,
      status: 'waiting',
      token: null,
      opened: false,
      attempts: 0,
      parcels: new Set(),
      refunds: [],
      refundFailure: null,
      createdAt: nowMs,
      decidedAt: null,
      nextLookAt: 0,
    })
    this.#keep(order.requestId)
  }

  find(requestId) {
    return this.#orders.get(requestId)
  }

  /** Returns the open or paid order of a cart. */
  ofCart(cart) {
    const fits = (order) => order.cart === cart && (order.status === 'waiting' || order.status === 'paid')
    return cart === '' ? undefined : [...this.#orders.values()].find(fits)
  }

  all() {
    return [...this.#orders.values()]
  }

  change(requestId, changes) {
    Object.assign(this.#orders.get(requestId), changes)
    this.#keep(requestId)
  }

  /** Takes over what the service says: one parcel for each completed payment. Paid is paid. A
   *  cancelled order ships nothing: a person has to refund it or ship it. */
  settle(requestId, payments, nowMs) {
    const order = this.#orders.get(requestId)
    const completed = payments.filter(({ orderStatus }) => orderStatus === 'COMPLETED')
    if (completed.length > 0 && (order.status === 'cancelled' || order.status === 'paid late'))
      return this.end(requestId, 'paid late', nowMs)
    if (completed.some(({ orderId }) => !order.parcels.has(orderId))) {
      const parcels = new Set([...order.parcels, ...completed.map(({ orderId }) => orderId)])
      const decidedAt = order.status === 'paid' ? order.decidedAt : nowMs
      this.change(requestId, { parcels, status: 'paid', opened: true, decidedAt })
    }
    const failed = payments.length > 0 && payments.every(({ orderStatus }) => orderStatus === 'FAILED')
    if (failed) this.end(requestId, 'declined', nowMs)
    else if (payments.length > 0 && !order.opened) this.change(requestId, { opened: true })
  }

  /** Ends the wait for a payment. */
  end(requestId, status, nowMs) {
    const before = endsAfter[status]
    if (before.includes(this.#orders.get(requestId).status))
      this.change(requestId, { status, decidedAt: nowMs })
  }

  #keep(requestId) {
    const order = this.#orders.get(requestId)
    this.#journal.append({ ...order, parcels: [...order.parcels] })
  }
}

/** By new status: the statuses that may precede it. */
const endsAfter = {
  declined: ['waiting', 'expired'],
  cancelled: ['waiting', 'expired'],
  expired: ['waiting'],
  'paid late': ['cancelled'],
}
