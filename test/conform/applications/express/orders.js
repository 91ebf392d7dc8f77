/** Orders and what was sent for them, in memory. Nothing here waits, so that nothing comes between looking and doing. */
export class Orders {
  #orders = new Map()

  add(order) {
    this.#orders.set(order.requestId, {
      ...order,
      status: 'waiting',
      token: null,
      opened: false,
      attempts: 0,
      parcels: new Set(),
      refunds: [],
      refundFailure: null,
      paidAt: null,
    })
  }

  find(requestId) {
    return this.#orders.get(requestId)
  }

  /** Not decided, or never to be, like subscriptions. */
  open() {
    return this.#those((order) => order.status === 'waiting' || order.kind === 'subscription')
  }

  paidSince(sinceMs) {
    return this.#those((order) => order.status === 'paid' && order.paidAt >= sinceMs)
  }

  /** Takes over what the service says: one parcel for each completed payment. Paid is paid. */
  settle(requestId, payments, nowMs) {
    const order = this.#orders.get(requestId)
    order.opened ||= payments.length > 0
    for (const { orderId, orderStatus } of payments) {
      if (orderStatus !== 'COMPLETED') continue
      order.parcels.add(orderId)
      order.paidAt ??= nowMs
      order.status = 'paid'
    }
    const failed = payments.length > 0 && payments.every(({ orderStatus }) => orderStatus === 'FAILED')
    if (failed) this.decline(requestId)
  }

  decline(requestId) {
    const order = this.#orders.get(requestId)
    if (order.status === 'waiting') order.status = 'declined'
  }

  #those(fit) {
    return [...this.#orders.values()].filter(fit).map(({ requestId }) => requestId)
  }
}
