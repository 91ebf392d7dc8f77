import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Answer, JsonObject } from './answer.ts'
import type { TestEmulator } from './emulator.ts'
import type { Body, HeaderChanges } from './http.ts'
import type { Received } from './receiver.ts'

/** Optional fields of a new client. */
export interface ClientFields {
  readonly clock?: object
  readonly clientId?: string
  readonly apiSecret?: string
  readonly accessToken?: string
  readonly webhookSecret?: string
  readonly webhookUrl?: string | null
  readonly defaultScenario?: string
  readonly settings?: object
}

export interface Credentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
}

/** How a call differs from a right one. */
export interface CallOptions {
  /** Added to, or with `null` taken from, what a right call sends. */
  readonly headers?: HeaderChanges
  /** The text to sign for the header `signature`, instead of the right one. */
  readonly signed?: string
}

/** The ledger of an advance. */
export interface Ledger {
  readonly from: number
  readonly now: number
  readonly transitions: readonly {
    at: number
    orderId: string
    requestId: string
    what: string
    from: string
    to: string
  }[]
  readonly deliveries: readonly {
    at: number
    deliveryId: string
    requestId: string
    orderStatus: string
    attempt: number
    outcome: string
    status: number | null
  }[]
  readonly nextDueAt: number | null
}

export const paths = {
  checkout: '/v1/client/checkout/create-order',
  subscription: '/v1/client/subscription/create-order',
  crypto: '/v1/client/crypto-orders',
  fiat: '/v1/client/orders',
  refunds: '/v1/client/fiat-refunds',
  simulate: '/v1/client/simulate-webhook',
  webhookUrl: '/v1/client/webhook-url',
  fiatWebhookUrl: '/v1/client/fiat/webhook-url',
} as const

/** HMAC-SHA256 in base64; written here and not imported, so that the emulator can't prove itself right. */
export function sign(apiSecret: string, text: string): string {
  return createHmac('sha256', apiSecret).update(text, 'utf8').digest('base64')
}

/** The part of an emulator that a client uses. */
type Calls = Pick<TestEmulator, 'send' | 'control'>

/** An application backend: makes requests, signs them, sends them. Every method sends a right call unless its
 *  options say otherwise. */
export class TestClient implements Credentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
  readonly #emulator: Calls

  constructor(emulator: Calls, credentials: Credentials) {
    this.#emulator = emulator
    this.clientId = credentials.clientId
    this.apiSecret = credentials.apiSecret
    this.accessToken = credentials.accessToken
    this.webhookSecret = credentials.webhookSecret
  }

  /** The signature of a text under the client's secret. */
  sign(text: string): string {
    return sign(this.apiSecret, text)
  }

  /** The smallest right checkout body; `changes` are laid over it, `undefined` takes a member away. */
  checkout(requestId: string, changes: JsonObject = {}): JsonObject {
    const { clientId } = this
    return {
      currencyId: 'usd_us',
      fiatAmount: '10.00',
      email: 'a@example.com',
      requestId,
      clientId,
      ...changes,
    }
  }

  /** The smallest right subscription body. */
  subscription(requestId: string, changes: JsonObject = {}): JsonObject {
    return this.checkout(requestId, { fiatAmount: '1.00', interval: 'MONTHLY', ...changes })
  }

  /** Creates a checkout order: from a requestId, or from a body as it is. */
  createCheckout(of: string | JsonObject, options: CallOptions = {}): Promise<Answer> {
    const body = typeof of === 'string' ? this.checkout(of) : of
    return this.post(paths.checkout, body, { signed: checkoutString(body), ...options })
  }

  /** Creates a subscription order: from a requestId, or from a body as it is. */
  createSubscription(of: string | JsonObject, options: CallOptions = {}): Promise<Answer> {
    const body = typeof of === 'string' ? this.subscription(of) : of
    return this.post(paths.subscription, body, { signed: subscriptionString(body), ...options })
  }

  fiatOrders(requestId: string): Promise<Answer> {
    return this.lookUp(paths.fiat, { requestId, clientId: this.clientId })
  }

  cryptoOrders(requestId: string): Promise<Answer> {
    return this.lookUp(paths.crypto, { requestId, clientId: this.clientId })
  }

  refunds(requestId: string): Promise<Answer> {
    return this.lookUp(paths.refunds, { requestId, clientId: this.clientId })
  }

  /** A lookup with a query of one's own. */
  lookUp(
    path: string,
    query: Readonly<Record<string, string>>,
    { headers }: CallOptions = {},
  ): Promise<Answer> {
    return this.#emulator.send(`${path}?${new URLSearchParams(query)}`, {
      method: 'GET',
      headers: { 'access-token': this.accessToken, ...headers },
    })
  }

  /** The smallest right simulation. */
  simulation(requestId: string, changes: JsonObject = {}): JsonObject {
    const { clientId } = this
    return {
      requestId,
      clientId,
      orderId: 'order-of-a-simulation',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
      ...changes,
    }
  }

  simulate(body: JsonObject, options: CallOptions = {}): Promise<Answer> {
    return this.post(paths.simulate, body, options)
  }

  setWebhookUrl(
    webhookUrl: unknown,
    options: CallOptions = {},
    path: string = paths.webhookUrl,
  ): Promise<Answer> {
    const headers = { 'client-id': this.clientId, ...options.headers }
    return this.post(path, { webhookUrl }, { headers })
  }

  /** A POST with the access token, and with a signature if `signed` is given. */
  post(path: string, body: Body | undefined, { headers, signed }: CallOptions = {}): Promise<Answer> {
    const signature = signed === undefined ? {} : { signature: this.sign(signed) }
    const own = { 'access-token': this.accessToken, 'content-type': 'application/json', ...signature }
    return this.#emulator.send(path, { method: 'POST', headers: { ...own, ...headers }, body })
  }

  /** A fresh access token with a lifetime, from the emulator's own token route. */
  async issueToken(): Promise<string> {
    const { clientId, apiSecret } = this
    const answer = await this.#emulator.control('/access-token', 'POST', { clientId, apiSecret })
    return String(answer.json.accessToken)
  }

  /** Moves the client's clock, and waits until all that became due has ended, webhooks included. */
  async advance(by: string): Promise<Ledger> {
    const { text } = await this.#emulator.control(
      `/clock/advance?clientId=${encodeURIComponent(this.clientId)}`,
      'POST',
      { by },
    )
    const ledger: Ledger = JSON.parse(text)
    return ledger
  }

  /** Waits until everything that is due now has ended. What has not arrived by then does not come. */
  async settle(): Promise<void> {
    await this.advance('0s')
  }

  /** The time of the client's clock, epoch milliseconds. */
  async now(): Promise<number> {
    return Number((await this.#emulator.control(`/clock?clientId=${this.clientId}`)).json.now)
  }

  /** The client's only order under a requestId, as the control API shows it. */
  async order(requestId: string): Promise<JsonObject> {
    const query = new URLSearchParams({ clientId: this.clientId, requestId })
    const [only, ...others] = (await this.#emulator.control(`/orders?${query}`)).items
    if (only === undefined || others.length > 0) throw new Error(`not exactly one order for ${requestId}`)
    return only
  }

  /** The payer's act on the client's order under a requestId. */
  async pay(requestId: string, outcome: 'completed' | 'failed' | 'abandoned', errorCode?: string) {
    const { orderId } = await this.order(requestId)
    return this.#emulator.control(`/orders/${orderId}/pay`, 'POST', {
      outcome,
      ...(errorCode === undefined ? {} : { errorCode }),
    })
  }

  /** The client's deliveries, oldest first, each with its attempts. */
  async deliveries(): Promise<readonly JsonObject[]> {
    return (await this.#emulator.control(`/deliveries?clientId=${this.clientId}`)).items
  }

  /** The journal entry of an answer. */
  async journalOf(answer: Answer): Promise<JsonObject> {
    return (await this.#emulator.control(`/requests/${answer.headers['emulator-request-id']}`)).json
  }

  /** Checks a webhook as the stock library does; throws its reason. */
  verifyWebhook(received: Received | undefined): unknown {
    if (received === undefined) throw new Error('nothing was received')
    const headers = Object.entries(received.headers).map(([name, value]) => [name, String(value)])
    return new Webhook(this.webhookSecret).verify(received.text, Object.fromEntries(headers))
  }

  /** Changes the client through the control API. */
  async change(fields: Omit<ClientFields, 'clientId'>): Promise<void> {
    await this.#emulator.control(`/clients/${this.clientId}`, 'PATCH', fields)
  }
}

/** The signed text of a checkout, in the shorter form. */
function checkoutString({ fiatAmount, requestId }: JsonObject): string {
  return `fiatAmount=${fiatAmount}&requestId=${requestId}`
}

function subscriptionString(body: JsonObject): string {
  const base = `currencyId=${body.currencyId}&${checkoutString(body)}&interval=${body.interval}`
  return body.trialPeriodDays ? `${base}&trialPeriodDays=${body.trialPeriodDays}` : base
}
