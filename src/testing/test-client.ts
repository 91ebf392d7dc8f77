import { sign } from '../domain/signature.ts'
import { clientVariables } from '../pages/client-variables.ts'
import type { ClientLedger } from './clock.ts'
import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import { ControlCallRefused, EmulatorUnreachable } from './errors.ts'
import type { RequestName } from './order-name.ts'
import {
  type CreateOptions,
  type NewCheckout,
  type NewSimulation,
  type NewSubscription,
  ServiceApi,
  type ServiceRequest,
} from './service-api.ts'
import type {
  Client,
  ClientPatch,
  Clock,
  CreatedOrder,
  CryptoOrder,
  FiatOrder,
  IssuedToken,
  Refunds,
  Snapshot,
} from './shapes.ts'
import type { Reply, Transport } from './transport.ts'

/** How to reach the service. */
export interface ServiceAt {
  readonly url: string
  readonly transport: Transport
}

/** An onboarded application and the world it lives in: its credentials, what it may ask of the service, and what a
 *  test may do to it. Nothing that is done here touches another client. */
export class TestClient extends Controls<ClientLedger, Clock> implements AsyncDisposable {
  /** The base URL that the application under test is to call. */
  readonly url: string
  readonly clientId: string
  readonly #service: ServiceApi
  #client: Client

  constructor(client: Client, api: ControlApi, service: ServiceAt) {
    super(api.of(client.clientId))
    this.url = service.url
    this.clientId = client.clientId
    this.#client = client
    this.#service = new ServiceApi(service.transport, () => this.#client, {
      diagnosisOf: async (id) => (await this.requests.get(id)).diagnosis,
      // Asked each time: it may be set for all clients, and by others.
      signsCurrency: async () => {
        const { effective } = await this.settings()
        return effective['signature.checkout'] === 'with-currency'
      },
      checkScenario: async (id, kind) => {
        await this.scenarios.explain(id, { kind })
      },
    })
  }

  /** With what create calls are signed. */
  get apiSecret(): string {
    return this.#client.apiSecret
  }

  /** Never expires by itself; `issueAccessToken` gives ones that do. */
  get accessToken(): string {
    return this.#client.accessToken
  }

  /** With what webhooks are signed: `whsec_` and base64. */
  get webhookSecret(): string {
    return this.#client.webhookSecret
  }

  /** The environment variables that an application under test reads: `PAYMENT_ORDER_BASE_URL`, `_CLIENT_ID`,
   *  `_API_SECRET`, `_ACCESS_TOKEN`, `_WEBHOOK_SECRET`. */
  get env(): Record<string, string> {
    return clientVariables(this.url, this)
  }

  /** Creates a checkout order, signed as the service wants it: with the currency, if the setting `signature.checkout`
   *  pins that.
   *  @throws ServiceCallRefused, with the service's answer and why; ControlCallRefused for a scenario that there is not */
  createCheckoutOrder(order: NewCheckout = {}, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createCheckoutOrder(order, options)
  }

  /** Creates a subscription order, signed as the service wants it.
   *  @throws ServiceCallRefused, with the service's answer and why; ControlCallRefused for a scenario that there is not */
  createSubscriptionOrder(order: NewSubscription = {}, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createSubscriptionOrder(order, options)
  }

  /** The fiat records of a requestId, as the service tells them. */
  fiatOrders(order: RequestName): Promise<FiatOrder[]> {
    return this.#service.fiatOrders(order)
  }

  /** The crypto records of a requestId, as the service tells them. */
  cryptoOrders(order: RequestName): Promise<CryptoOrder[]> {
    return this.#service.cryptoOrders(order)
  }

  /** The refund records of a requestId, with the `errorReason` beside them. */
  fiatRefunds(order: RequestName): Promise<Refunds> {
    return this.#service.fiatRefunds(order)
  }

  /** Has the service send a simulated webhook; no order changes by it.
   *  @throws ServiceCallRefused (400 without a webhook URL) */
  simulateWebhook(webhook: NewSimulation = {}): Promise<void> {
    return this.#service.simulateWebhook(webhook)
  }

  /** Changes where webhooks go, as an application does it. */
  setWebhookUrl(webhookUrl: string): Promise<void> {
    return this.#service.setWebhookUrl(webhookUrl)
  }

  /** An access token that expires (`expiresIn` seconds, on the client's clock), as an application gets it.
   *  @throws ServiceCallRefused */
  issueAccessToken(): Promise<IssuedToken> {
    return this.#service.issueAccessToken()
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

  /** The client as it is now. Credentials that somebody else has changed hold here from then on. */
  async read(): Promise<Client> {
    this.#client = await this.api.call('GET', this.#path)
    return this.#client
  }

  /** Changes its webhook URL, default scenario, settings or credentials, as somebody at the service would.
   *  @throws ControlCallRefused */
  async change(patch: ClientPatch): Promise<Client> {
    this.#client = await this.api.call('PATCH', this.#path, { body: patch })
    return this.#client
  }

  override async restore(snapshot: Snapshot): Promise<string[]> {
    const clients = await super.restore(snapshot)
    // The saved world has its own credentials.
    await this.read()
    return clients
  }

  /** Removes it and all that belongs to it. */
  async remove(): Promise<void> {
    await this.api.call('DELETE', this.#path)
  }

  /** Removes it at the end of its block, if it and its emulator are still there. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.remove()
    } catch (error) {
      const isGone = error instanceof ControlCallRefused && error.code === 'client_unknown'
      if (!isGone && !(error instanceof EmulatorUnreachable)) throw error
    }
  }

  /** What `console.log` and the messages of test runners show. */
  toJSON(): object {
    return { clientId: this.clientId, url: this.url }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `TestClient { clientId: '${this.clientId}', url: '${this.url}' }`
  }

  get #path(): string {
    return `/clients/${encodeURIComponent(this.clientId)}`
  }
}
