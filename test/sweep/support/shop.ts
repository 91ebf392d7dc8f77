import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import { isTerminal } from '../../../src/domain/order/statuses.ts'
import type { Answer } from '../../support/answer.ts'
import { paths, type TestClient } from '../../support/client.ts'

export interface Purchase {
  state: 'open' | 'paid' | 'declined' | 'expired'
  parcels: number
}

/** A webhook as it arrived. */
export interface Sent {
  readonly body: string
  readonly headers: Record<string, string>
  /** Its body, once the signature is verified. */
  readonly event: WebhookEvent
  /** Whether the service has closed the connection by now. */
  readonly isCut: () => boolean
}

/** The fields of every webhook. */
export const eventFields = {
  requestId: z.string(),
  clientId: z.string(),
  orderId: z.string(),
  orderStatus: z.string(),
  orderType: z.string(),
  eventType: z.string(),
}
const eventShape = z.object(eventFields)
type WebhookEvent = z.infer<typeof eventShape>

const createdShape = z.object({ offerInfoData: z.object({ expiryTs: z.string() }) })

/** A correct shop: it ships one parcel for each paid order under every legal behaviour of the service. Naive shops
 *  override its methods. */
export class Shop implements Disposable {
  /** By requestId. */
  readonly purchases = new Map<string, Purchase>()
  readonly #client: TestClient
  readonly #server = createServer((request, response) => this.#take(request, response))
  #token: Promise<string> | null = null

  constructor(client: TestClient) {
    this.#client = client
  }

  /** Starts the webhook endpoint and registers its URL. */
  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('the shop has no port')
    await this.#client.change({ webhookUrl: `http://127.0.0.1:${address.port}/webhooks` })
  }

  /** Stops the webhook endpoint, as the end of the process would. */
  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** A buyer clicks on "buy". Resolves with the next page. The purchase is stored first: a webhook may come before the
   *  create answer. */
  async buy(requestId: string, email: string): Promise<string> {
    this.takeUp(requestId)
    return this.checkout(requestId, email)
  }

  takeUp(requestId: string): void {
    this.purchases.set(requestId, { state: 'open', parcels: 0 })
  }

  /** Creates the order. A create call that failed may have stored it all the same, so it is looked up. */
  async checkout(requestId: string, email: string): Promise<string> {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const created = await this.create(requestId, email).catch(() => null)
      if (created?.status === 200) return this.checkoutPage(created)
      const order = await this.lookUp(requestId).catch(() => null)
      if (order !== null) return 'we wait for your payment'
    }
    return 'sorry'
  }

  create(requestId: string, email: string): Promise<Answer> {
    const body = this.#client.checkout(requestId, { email })
    return this.call((headers) => this.#client.createCheckout(body, { headers }))
  }

  async checkoutPage(created: Answer): Promise<string> {
    const { offerInfoData } = createdShape.parse(created.json)
    return this.expiry(offerInfoData.expiryTs) > (await this.now()) ? 'pay now' : 'too late'
  }

  expiry(expiryTs: string): number {
    return Date.parse(expiryTs)
  }

  now(): Promise<number> {
    return this.#client.now()
  }

  /** The status of an order, null if there is none. */
  async lookUp(requestId: string): Promise<string | null> {
    const { clientId } = this.#client
    const query = { requestId, clientId }
    return this.statusIn(await this.call((headers) => this.#client.lookUp(paths.fiat, query, { headers })))
  }

  statusIn(answer: Answer): string | null {
    if (answer.status !== 200) throw new Error(`the lookup was answered with ${answer.status}`)
    const [record] = answer.data
    return record === undefined ? null : String(record.orderStatus)
  }

  /** Makes a call, and repeats it with a new access token if the service refuses the old one. */
  async call(send: (headers: Record<string, string>) => Promise<Answer>): Promise<Answer> {
    const answer = await send(await this.authorised())
    if (answer.status !== 401) return answer
    this.#token = null
    return send(await this.authorised())
  }

  protected async authorised(): Promise<Record<string, string>> {
    this.#token ??= this.#client.issueToken()
    return { 'access-token': await this.#token }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = await this.#handle(request).catch(() => 500)
    response.writeHead(status).end()
  }

  async #handle(request: IncomingMessage): Promise<number> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const body = await text(request)
    const event = this.eventIn(this.verified(body, headers))
    return this.onWebhook({ body, headers, event, isCut: () => request.socket.destroyed })
  }

  /** Throws if the signature is wrong. */
  verified(body: string, headers: Record<string, string>): unknown {
    return new Webhook(this.#client.webhookSecret).verify(body, headers)
  }

  eventIn(json: unknown): WebhookEvent {
    return eventShape.parse(json)
  }

  /** Resolves with the status of the HTTP answer. */
  async onWebhook({ event }: Sent): Promise<number> {
    const { requestId, eventType, orderStatus } = event
    if (eventType !== 'service-sdk-transaction-status' || !this.purchases.has(requestId)) return 200
    const status = await this.lookUp(requestId)
    // The lookup is behind. Let the service send the webhook again.
    if (isTerminal(orderStatus) && status === 'CREATED') return 503
    this.settle(requestId, status)
    return 200
  }

  settle(requestId: string, status: string | null): void {
    const purchase = this.purchases.get(requestId)
    if (purchase?.state !== 'open') return
    if (status === 'FAILED') purchase.state = 'declined'
    if (status === 'COMPLETED') this.ship(requestId)
  }

  ship(requestId: string): void {
    const purchase = this.purchases.get(requestId)
    if (purchase === undefined) return
    purchase.state = 'paid'
    purchase.parcels += 1
  }

  /** An hourly job: looks up each open purchase. */
  async everyHour(): Promise<void> {
    for (const [requestId, { state }] of this.purchases)
      if (state === 'open') this.settle(requestId, await this.lookUp(requestId).catch(() => null))
  }
}

/** A shop without the hourly job: it depends on webhooks. */
export class ShopWithoutJob extends Shop {
  override async everyHour(): Promise<void> {}
}
