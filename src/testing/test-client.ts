import { sign } from '../domain/webhook/signature.ts'
import { clientVariables } from '../pages/client-commands.ts'
import type { ClientLedger } from './clock.ts'
import type { ControlApi } from './control-api.ts'
import { Controls } from './controls.ts'
import { ControlCallRefused, EmulatorUnreachable } from './errors.ts'
import type { RequestName } from './orders.ts'
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
  SecretRotation,
  Snapshot,
  TokenExpiry,
} from './shapes.ts'
import type { Reply, Transport } from './transport.ts'

/** The base URL of the service, and the transport for calls to it. */
export interface ServiceAt {
  readonly url: string
  readonly transport: Transport
}

/** A client (a merchant account) and its isolated sandbox: its credentials, its calls to the service, and everything
 *  that a test can do to it. */
export class TestClient extends Controls<ClientLedger, Clock> implements AsyncDisposable {
  /** The base URL for the application under test. */
  readonly url: string
  /** The id of the client. */
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
      // Read each time, because other callers can change the setting.
      signsCurrency: async () => {
        const { effective } = await this.settings()
        return effective['signature.checkout'] === 'with-currency'
      },
      checkScenario: async (id, kind) => {
        await this.scenarios.explain(id, { kind })
      },
    })
  }

  /** The API secret of the client, which signs create calls. */
  get apiSecret(): string {
    return this.#client.apiSecret
  }

  /** An access token that never expires by itself. `issueAccessToken` returns tokens that do. */
  get accessToken(): string {
    return this.#client.accessToken
  }

  /** The secret that signs webhooks: `whsec_` and base64. */
  get webhookSecret(): string {
    return this.#client.webhookSecret
  }

  /** The credentials as environment variables: `PAYMENT_ORDER_BASE_URL`, `_CLIENT_ID`, `_API_SECRET`, `_ACCESS_TOKEN`,
   *  `_WEBHOOK_SECRET`. */
  get env(): Record<string, string> {
    return clientVariables(this.url, this)
  }

  /** Creates a checkout order with a valid signature. With the setting `signature.checkout: with-currency`, the
   *  currency is signed too.
   *  @throws ServiceCallRefused with the answer of the service and its diagnosis
   *  @throws ControlCallRefused for an unknown scenario */
  createCheckoutOrder(order: NewCheckout = {}, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createCheckoutOrder(order, options)
  }

  /** Creates a subscription order with a valid signature.
   *  @throws ServiceCallRefused with the answer of the service and its diagnosis
   *  @throws ControlCallRefused for an unknown scenario */
  createSubscriptionOrder(order: NewSubscription = {}, options: CreateOptions = {}): Promise<CreatedOrder> {
    return this.#service.createSubscriptionOrder(order, options)
  }

  /** Looks up the fiat records of a requestId, as an application does.
   *  @throws ServiceCallRefused */
  fiatOrders(order: RequestName): Promise<FiatOrder[]> {
    return this.#service.fiatOrders(order)
  }

  /** Looks up the crypto records of a requestId, as an application does.
   *  @throws ServiceCallRefused */
  cryptoOrders(order: RequestName): Promise<CryptoOrder[]> {
    return this.#service.cryptoOrders(order)
  }

  /** Looks up the refunds of a requestId, with the `errorReason` beside them.
   *  @throws ServiceCallRefused */
  fiatRefunds(order: RequestName): Promise<Refunds> {
    return this.#service.fiatRefunds(order)
  }

  /** Asks the service to send a simulated webhook. No order changes.
   *  @throws ServiceCallRefused (400) without a webhook URL */
  simulateWebhook(webhook: NewSimulation = {}): Promise<void> {
    return this.#service.simulateWebhook(webhook)
  }

  /** Registers the webhook URL with the service, as an application does.
   *  @throws ServiceCallRefused */
  setWebhookUrl(webhookUrl: string): Promise<void> {
    return this.#service.setWebhookUrl(webhookUrl)
  }

  /** Requests an access token that expires after `expiresIn` seconds on the clock of the client.
   *  @throws ServiceCallRefused */
  issueAccessToken(): Promise<IssuedToken> {
    return this.#service.issueAccessToken()
  }

  /** Sends a request to the service unchanged and returns the answer, whatever its status. The access token of the
   *  client is added unless the headers contain one. */
  send(request: ServiceRequest): Promise<Reply> {
    return this.#service.send(request)
  }

  /** Signs a text with the API secret: HMAC-SHA256 in base64. */
  sign(stringToSign: string): string {
    return sign(stringToSign, this.apiSecret)
  }

  /** Reads the client again. Credentials that changed elsewhere are used from then on. */
  async read(): Promise<Client> {
    this.#client = await this.api.call('GET', this.#path)
    return this.#client
  }

  /** Changes the webhook URL, default scenario, settings or credentials of the client.
   *  @throws ControlCallRefused for an invalid field */
  async change(patch: ClientPatch): Promise<Client> {
    this.#client = await this.api.call('PATCH', this.#path, { body: patch })
    return this.#client
  }

  /** Rotates the webhook secret. Until the overlap has passed on the client's clock, webhooks are signed with both
   *  secrets, the new one first.
   *  @param rotation `overlap`: a duration such as `24h`, the default; `webhookSecret`: the new secret, otherwise
   *    generated
   *  @throws ControlCallRefused for an invalid field */
  async rotateWebhookSecret(rotation: SecretRotation = {}): Promise<Client> {
    this.#client = await this.api.call('POST', `${this.#path}/rotate-webhook-secret`, { body: rotation })
    return this.#client
  }

  /** Makes the issued access tokens expire now: calls with them are answered with 401. Tokens issued later are valid.
   *  @param expiry `own`: also the client's own `accessToken`, until it is set again with `change`
   *  @throws ControlCallRefused for an invalid field */
  async expireTokens(expiry: TokenExpiry = {}): Promise<Client> {
    this.#client = await this.api.call('POST', `${this.#path}/expire-tokens`, { body: expiry })
    return this.#client
  }

  override async restore(snapshot: Snapshot): Promise<string[]> {
    const clients = await super.restore(snapshot)
    // After a restore, the client has the credentials of the snapshot.
    await this.read()
    return clients
  }

  /** Removes the client with all its data. `await using` calls it. */
  async remove(): Promise<void> {
    await this.api.call('DELETE', this.#path)
  }

  /** Removes the client at the end of an `await using` block, if the client and the emulator still exist. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.remove()
    } catch (error) {
      const isGone = error instanceof ControlCallRefused && error.code === 'client_unknown'
      if (!isGone && !(error instanceof EmulatorUnreachable)) throw error
    }
  }

  /** Returns the short form that `console.log` and test runners show. */
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
