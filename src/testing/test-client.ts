import { sign } from '../domain/signature.ts'
import { clientVariables } from '../pages/client-variables.ts'
import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import {
  type CreateOptions,
  type NewCheckout,
  type NewSubscription,
  ServiceApi,
  type ServiceRequest,
} from './service-api.ts'
import type {
  Client,
  ClientPatch,
  CreatedOrder,
  CryptoOrder,
  FiatOrder,
  Refunds,
  SimulatedWebhook,
} from './shapes.generated.ts'
import type { Reply, Transport } from './transport.ts'

/** How to reach the service. */
export interface ServiceAt {
  readonly url: string
  readonly transport: Transport
}

/** An onboarded application and the world it lives in: its credentials, what it may ask of the service, and what a
 *  test may do to it. Nothing that is done here touches another client. */
export class TestClient extends Controls {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
  readonly #url: string
  readonly #service: ServiceApi

  constructor(client: Client, api: ControlApi, service: ServiceAt) {
    super(api.of(client.clientId))
    this.clientId = client.clientId
    this.apiSecret = client.apiSecret
    this.accessToken = client.accessToken
    this.webhookSecret = client.webhookSecret
    this.#url = service.url
    this.#service = new ServiceApi(
      service.transport,
      client,
      async (id) => (await this.requests.get(id)).diagnosis,
    )
  }

  /** The environment variables that an application under test reads: `PAYMENT_ORDER_BASE_URL`, `_CLIENT_ID`,
   *  `_API_SECRET`, `_ACCESS_TOKEN`, `_WEBHOOK_SECRET`. */
  get env(): Record<string, string> {
    return clientVariables(this.#url, this)
  }

  /** Creates a checkout order, signed as the service wants it.
   *  @throws ServiceCallRefused, with the service's answer and why */
  createCheckoutOrder(order: NewCheckout, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createCheckoutOrder(order, options)
  }

  /** Creates a subscription order, signed as the service wants it.
   *  @throws ServiceCallRefused, with the service's answer and why */
  createSubscriptionOrder(order: NewSubscription, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createSubscriptionOrder(order, options)
  }

  /** The fiat records of a requestId, as the service tells them. */
  fiatOrders(requestId: string): Promise<FiatOrder[]> {
    return this.#service.fiatOrders(requestId)
  }

  /** The crypto records of a requestId, as the service tells them. */
  cryptoOrders(requestId: string): Promise<CryptoOrder[]> {
    return this.#service.cryptoOrders(requestId)
  }

  /** The refund records of a requestId, with the `errorReason` beside them. */
  fiatRefunds(requestId: string): Promise<Refunds> {
    return this.#service.fiatRefunds(requestId)
  }

  /** Has the service send a simulated webhook; no order changes by it. */
  simulateWebhook(webhook: Partial<SimulatedWebhook>): Promise<void> {
    return this.#service.simulateWebhook(webhook)
  }

  /** Changes where webhooks go, as an application does it. */
  setWebhookUrl(webhookUrl: string): Promise<void> {
    return this.#service.setWebhookUrl(webhookUrl)
  }

  /** Sends a request to the service as it is, with the client's access token unless its headers have one, and answers
   *  whatever comes: for calls that are to be refused. */
  send(request: ServiceRequest): Promise<Reply> {
    return this.#service.send(request)
  }

  /** The signature of a text under the client's API secret: HMAC-SHA256 in base64. */
  sign(stringToSign: string): string {
    return sign(stringToSign, this.apiSecret)
  }

  /** The client as it is now. */
  read(): Promise<Client> {
    return this.api.call('GET', `/clients/${encodeURIComponent(this.clientId)}`)
  }

  /** Changes its webhook URL, default scenario or settings. (What this object knows of its credentials stays.) */
  change(patch: Pick<ClientPatch, 'webhookUrl' | 'defaultScenario' | 'settings'>): Promise<Client> {
    return this.api.call('PATCH', `/clients/${encodeURIComponent(this.clientId)}`, { body: patch })
  }

  /** Removes it and all that belongs to it. */
  async remove(): Promise<void> {
    await this.api.call('DELETE', `/clients/${encodeURIComponent(this.clientId)}`)
  }
}
