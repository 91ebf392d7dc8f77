import type { ControlApi } from './control-api.ts'
import { ControlCallRefused } from './errors.ts'
import type { Filter } from './filters.ts'
import { type OrderName, orderIdIn, requestIdOf } from './order-name.ts'
import type { NewOrder, Order, Payment, RefundRequest } from './shapes.ts'

/** Orders as the emulator has them, and what may happen to them from outside. */
export class Orders {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Orders that fit, the oldest first: `{orderStatus: 'FAILED'}`, `{requestId: 'r-*'}`; all without a filter. */
  list(filter: Filter<'orders'> = {}): Promise<Order[]> {
    return this.#control.list('/orders', filter)
  }

  /** An order with its history, its timetable and its deliveries.
   *  @throws ControlCallRefused (404), TypeError for what names no order */
  async get(name: OrderName): Promise<Order> {
    const orderId = orderIdIn(name)
    if (orderId !== undefined) return this.#control.call('GET', `/orders/${encodeURIComponent(orderId)}`)
    const requestId = requestIdOf(name)
    // In a list, what ends so stands for all that begins like it.
    const limit = requestId.endsWith('*') ? undefined : 1
    const listed = await this.#control.list<Order>('/orders', { requestId, limit })
    const first = listed.find((order) => order.requestId === requestId)
    if (first !== undefined) return first
    const words = `${this.#whose} no order under the requestId ${JSON.stringify(requestId)}`
    throw new ControlCallRefused(words, { status: 404, code: 'order_unknown', body: null })
  }

  /** Makes an order of any kind without the service's API: payouts and crypto payins, too. What is left out is made up.
   *  @throws ControlCallRefused */
  make(order: NewOrder = {}): Promise<Order> {
    return this.#control.call('POST', '/orders', { body: order })
  }

  /** Acts as the payer. `completed` means paid: the scenario's steps after the payment follow. `abandoned` leaves the
   *  order as it is; nobody pays it any more.
   *  @param options `errorCode`: with `failed`, why
   *  @throws ControlCallRefused if the order does not wait for a payer */
  async pay(
    name: OrderName,
    outcome: Payment['outcome'] = 'completed',
    options: Pick<Payment, 'errorCode'> = {},
  ): Promise<Order> {
    return this.#act(name, 'pay', { ...options, outcome })
  }

  /** Refunds that much of an order: `{fiatAmount: '3.50'}`.
   *  @throws ControlCallRefused if it is not paid, or the amount is more than is left */
  async refund(name: OrderName, refund: RefundRequest): Promise<Order> {
    return this.#act(name, 'refunds', refund)
  }

  /** Ends the charges of a subscription.
   *  @throws ControlCallRefused (404; 409 if several clients have one of this requestId) */
  cancelSubscription(requestId: string): Promise<Order> {
    return this.#control.call('POST', `/subscriptions/${encodeURIComponent(requestId)}/cancel`)
  }

  async #act(name: OrderName, act: string, body: object): Promise<Order> {
    const orderId = orderIdIn(name) ?? (await this.get(name)).orderId
    return this.#control.call('POST', `/orders/${encodeURIComponent(orderId)}/${act}`, { body })
  }

  get #whose(): string {
    return this.#control.clientId === null ? 'There is' : `The client ${this.#control.clientId} has`
  }
}
