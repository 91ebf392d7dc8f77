import { randomUUID } from 'node:crypto'
import { orderEventType } from '../domain/order/statuses.ts'
import { checkoutString, sign, subscriptionString } from '../domain/webhook/signature.ts'
import { ServiceCallRefused } from './errors.ts'
import { type RequestName, requestIdOf } from './orders.ts'
import type {
  CheckoutRequest,
  Client,
  CreatedOrder,
  CryptoOrder,
  Diagnosis,
  FiatOrder,
  IssuedToken,
  OrderKind,
  Refunds,
  ScenarioId,
  SimulatedWebhook,
  SubscriptionRequest,
} from './shapes.ts'
import type { Reply, Transport } from './transport.ts'

/** A checkout order to create: the fields of `CheckoutRequest`, all optional. Defaults: `fiatAmount` 10.00,
 *  `currencyId` usd_us, `email` buyer@example.com, and a unique `requestId`. */
export type NewCheckout = { readonly [Member in keyof CheckoutRequest]?: CheckoutRequest[Member] | undefined }

/** A subscription order to create: the fields of `SubscriptionRequest`, all optional. Defaults: those of a checkout,
 *  and `MONTHLY` for `interval`. */
export type NewSubscription = {
  readonly [Member in keyof SubscriptionRequest]?: SubscriptionRequest[Member] | undefined
}

/** A webhook to simulate: `requestId`, `orderId`, `orderStatus`, `orderType`, `eventType`, `errorCode`, all optional.
 *  Defaults: random ids, `COMPLETED`, `CHECKOUT` and the `eventType` of orders. */
export type NewSimulation = {
  readonly [Member in keyof SimulatedWebhook]?: SimulatedWebhook[Member] | undefined
}

/** Options of a create call. */
export interface CreateOptions {
  /** The scenario of the new order. */
  readonly scenario?: ScenarioId | undefined
  /** The text to sign instead of the correct one. */
  readonly stringToSign?: string | undefined
  /** The access token to send instead of the client's own. */
  readonly accessToken?: string | undefined
}

/** A request to the service, sent unchanged. */
export interface ServiceRequest {
  /** The HTTP method, such as `GET`. */
  readonly method: string
  /** The path with its query: `/v1/client/orders?requestId=r1`. */
  readonly path: string
  /** The headers. An `access-token` is added if there is none. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body of the request. Default: none. */
  readonly body?: string | undefined
}

type Caller = () => Pick<Client, 'clientId' | 'apiSecret' | 'accessToken'>

/** Facts that the service does not report to its callers, read from the control API. */
export interface Insight {
  diagnosisOf(journalId: string): Promise<Diagnosis | null>
  /** Whether the signature of checkouts must cover the currency. */
  signsCurrency(): Promise<boolean>
  /** Rejects a scenario that does not exist for this kind of order.
   *  @throws ControlCallRefused */
  checkScenario(id: ScenarioId, kind: OrderKind): Promise<void>
}

const asJson = { 'content-type': 'application/json', accept: 'application/json' }

/** Calls the service's API, `/v1`, like a correct application. */
export class ServiceApi {
  readonly #transport: Transport
  readonly #caller: Caller
  readonly #insight: Insight

  /** @param caller returns the credentials; read at each call, because they can change */
  constructor(transport: Transport, caller: Caller, insight: Insight) {
    this.#transport = transport
    this.#caller = caller
    this.#insight = insight
  }

  async createCheckoutOrder(order: NewCheckout, options: CreateOptions): Promise<CreatedOrder> {
    await this.#check(options, 'checkout')
    const body = { ...this.#defaults(), ...given(order) }
    // If this fails, the create call will fail for the same reason and report it.
    const signsCurrency = await this.#insight.signsCurrency().catch(() => false)
    const rightString = checkoutString(body, signsCurrency ? 'with-currency' : 'short')
    return this.#create('/v1/client/checkout/create-order', body, rightString, options)
  }

  async createSubscriptionOrder(order: NewSubscription, options: CreateOptions): Promise<CreatedOrder> {
    await this.#check(options, 'subscription')
    const body = { ...this.#defaults(), interval: 'MONTHLY', ...given(order) }
    return this.#create('/v1/client/subscription/create-order', body, subscriptionString(body), options)
  }

  async fiatOrders(order: RequestName): Promise<FiatOrder[]> {
    return (await this.#lookUp<{ data: FiatOrder[] }>('orders', order)).data
  }

  async cryptoOrders(order: RequestName): Promise<CryptoOrder[]> {
    return (await this.#lookUp<{ data: CryptoOrder[] }>('crypto-orders', order)).data
  }

  async fiatRefunds(order: RequestName): Promise<Refunds> {
    return this.#lookUp('fiat-refunds', order)
  }

  async simulateWebhook(webhook: NewSimulation): Promise<void> {
    const event = { orderStatus: 'COMPLETED', orderType: 'CHECKOUT', eventType: orderEventType }
    const ids = {
      ...{ requestId: randomUUID(), orderId: randomUUID() },
      clientId: this.#caller().clientId,
    }
    const body = { ...ids, ...event, ...given(webhook) }
    await this.#json('POST', '/v1/client/simulate-webhook', asJson, body)
  }

  async setWebhookUrl(webhookUrl: string): Promise<void> {
    const headers = { ...asJson, 'client-id': this.#caller().clientId }
    await this.#json('POST', '/v1/client/webhook-url', headers, { webhookUrl })
  }

  issueAccessToken(): Promise<IssuedToken> {
    const { clientId, apiSecret } = this.#caller()
    return this.#json('POST', '/_emulator/access-token', asJson, { clientId, apiSecret })
  }

  /** Sends a request and returns the answer, whatever its status. The access token is added unless the headers
   *  contain one. */
  send({ headers = {}, ...request }: ServiceRequest): Promise<Reply> {
    const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'access-token')
    const token = hasOwn ? {} : { 'access-token': this.#caller().accessToken }
    return this.#transport.send({ ...request, headers: { ...token, ...headers } })
  }

  /** Rejects an unknown scenario: the service would ignore it, and a test would pass for the wrong reason. */
  async #check({ scenario }: CreateOptions, kind: OrderKind): Promise<void> {
    if (scenario !== undefined) await this.#insight.checkScenario(scenario, kind)
  }

  #defaults() {
    return {
      ...{ currencyId: 'usd_us', fiatAmount: '10.00', email: 'buyer@example.com' },
      ...{ requestId: randomUUID(), clientId: this.#caller().clientId },
    }
  }

  #create(
    path: string,
    body: object,
    rightString: string,
    { scenario, stringToSign = rightString, accessToken }: CreateOptions,
  ): Promise<CreatedOrder> {
    const signature = sign(stringToSign, this.#caller().apiSecret)
    const chosen = given({ 'emulator-scenario': scenario, 'access-token': accessToken })
    return this.#json('POST', path, { ...asJson, ...chosen, signature }, body)
  }

  #lookUp<T>(what: string, order: RequestName): Promise<T> {
    const query = new URLSearchParams({ requestId: requestIdOf(order), clientId: this.#caller().clientId })
    return this.#json('GET', `/v1/client/${what}?${query}`, {})
  }

  async #json<T>(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<T> {
    const reply = await this.send({ method, path, headers, body: body && JSON.stringify(body) })
    // A planned fault may answer 200 with a body that is not JSON.
    if (reply.status === 200 && isJson(reply.text)) return JSON.parse(reply.text)
    throw await this.#refusal(`${method} ${path.replace(/\?.*/, '')}`, reply)
  }

  async #refusal(call: string, { status, headers, text }: Reply): Promise<ServiceCallRefused> {
    const journalId = headers['emulator-request-id']
    // If the diagnosis fails, the rejection itself is reported.
    const diagnosis =
      journalId === undefined ? null : await this.#insight.diagnosisOf(journalId).catch(() => null)
    const why = diagnosis === null ? '' : `\n${diagnosis.cause}: ${diagnosis.message}`
    const body = parsed(text)
    return new ServiceCallRefused(`${call} answered ${status} ${cut(text)}${why}`, {
      status,
      code: codeIn(body),
      body,
      diagnosis,
    })
  }
}

/** Maximum characters of an answer in an error's message; the error's `body` has the whole answer. */
const shownCharacters = 500
const cut = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text

/** Removes undefined fields, which count as left out. */
function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const copy = { ...members }
  for (const name in copy) if (copy[name] === undefined) delete copy[name]
  return copy
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const isJson = (text: string): boolean => typeof parsed(text) === 'object'

function codeIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return String(error.code)
}
