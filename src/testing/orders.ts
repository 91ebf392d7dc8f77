import { inspect } from 'node:util'
import type { ControlApi } from './control-api.ts'
import { ControlCallRefused, startAtCaller } from './errors.ts'
import type { Filter } from './records.ts'
import type { NewOrder, Order, Payment, RefundRequest } from './shapes.ts'

/** A requestId, or an object with one, such as the answer to a create call. */
export type RequestName = string | { readonly requestId: string }

/** A requestId, or an object with a `requestId` or `orderId`. The charges of a subscription share a requestId, which
 *  names the first charge; name later charges by `orderId`. */
export type OrderName = RequestName | { readonly orderId: string }

const orderIdIn = (name: OrderName): string | undefined =>
  typeof name === 'object' && name !== null && 'orderId' in name && isId(name.orderId)
    ? name.orderId
    : undefined

/** Extracts the requestId from an order name.
 *  @throws TypeError for a value that names no order, such as a misspelt field */
export function requestIdOf(name: OrderName): string {
  const requestId = typeof name === 'object' && name !== null && 'requestId' in name ? name.requestId : name
  if (isId(requestId)) return requestId
  const words = `Expected a requestId, or an object with a requestId or an orderId, not ${inspect(name)}`
  const error = new TypeError(words)
  startAtCaller(error)
  throw error
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The orders in the emulator, and the actions of payers and operators. */
export class Orders {
  readonly #control: ControlApi

  constructor(control: ControlApi) {
    this.#control = control
  }

  /** Lists matching orders, oldest first: `{ orderStatus: 'FAILED' }`, `{ requestId: 'r-*' }`. Without a filter, all. */
  list(filter: Filter<'orders'> = {}): Promise<Order[]> {
    return this.#control.list('/orders', filter)
  }

  /** Returns an order with its history, its coming steps and its deliveries.
   *  @throws ControlCallRefused (404) if there is none
   *  @throws TypeError for a value that is not the name of an order */
  async get(name: OrderName): Promise<Order> {
    const orderId = orderIdIn(name)
    if (orderId !== undefined) return this.#control.call('GET', `/orders/${encodeURIComponent(orderId)}`)
    const requestId = requestIdOf(name)
    // A trailing `*` in the filter matches every requestId with that prefix; the exact one is then searched in the
    // result.
    const limit = requestId.endsWith('*') ? undefined : 1
    const listed = await this.#control.list<Order>('/orders', { requestId, limit })
    const first = listed.find((order) => order.requestId === requestId)
    if (first !== undefined) return first
    const words = `${this.#whose} no order under the requestId ${JSON.stringify(requestId)}`
    throw new ControlCallRefused(words, { status: 404, code: 'order_unknown', body: null })
  }

  /** Creates an order of any kind, payouts and crypto payins too, without a call to the service. Missing fields get
   *  defaults.
   *  @throws ControlCallRefused for an invalid field */
  make(order: NewOrder = {}): Promise<Order> {
    return this.#control.call('POST', '/orders', { body: order })
  }

  /** Acts as the payer. `completed` means paid: the steps of the scenario after the payment follow. `abandoned`
   *  leaves the order CREATED and unpaid.
   *  @param options `errorCode`: the reason, with `failed`
   *  @throws ControlCallRefused if the order does not wait for a payer */
  async pay(
    name: OrderName,
    outcome: Payment['outcome'] = 'completed',
    options: Pick<Payment, 'errorCode'> = {},
  ): Promise<Order> {
    return this.#act(name, 'pay', { ...options, outcome })
  }

  /** Refunds a part or all of an order: `{ fiatAmount: '3.50' }`.
   *  @throws ControlCallRefused if the order is not paid, or the amount exceeds what is left */
  async refund(name: OrderName, refund: RefundRequest): Promise<Order> {
    return this.#act(name, 'refunds', refund)
  }

  /** Returns what happened to an order as a scenario file, which `scenarios.put` accepts. An order that follows it
   *  sends the same webhooks, at times that differ by less than a second.
   *  @returns YAML
   *  @throws ControlCallRefused (404) if there is no such order */
  async keep(name: OrderName): Promise<string> {
    const orderId = orderIdIn(name) ?? (await this.get(name)).orderId
    return this.#control.call('GET', `/orders/${encodeURIComponent(orderId)}/scenario`)
  }

  /** Cancels a subscription. No further charge follows.
   *  @throws ControlCallRefused (404) if there is none, (409) if several clients have one with this requestId */
  cancelSubscription(requestId: string): Promise<Order> {
    return this.#control.call('POST', `/subscriptions/${encodeURIComponent(requestId)}/cancel`)
  }

  /** Returns what happened to an order as a sequence diagram, for a bug report: the text of a Mermaid
   *  `sequenceDiagram`, or a self-contained SVG.
   *  @throws ControlCallRefused (404) if there is none */
  async sequence(name: OrderName, format: 'mermaid' | 'svg' = 'mermaid'): Promise<string> {
    const orderId = orderIdIn(name) ?? (await this.get(name)).orderId
    return this.#control.call('GET', `/orders/${encodeURIComponent(orderId)}/sequence`, { query: { format } })
  }

  async #act(name: OrderName, act: string, body: object): Promise<Order> {
    const orderId = orderIdIn(name) ?? (await this.get(name)).orderId
    return this.#control.call('POST', `/orders/${encodeURIComponent(orderId)}/${act}`, { body })
  }

  get #whose(): string {
    return this.#control.clientId === null ? 'There is' : `The client ${this.#control.clientId} has`
  }
}
