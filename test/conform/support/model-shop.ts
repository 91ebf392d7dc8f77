import { onTestFinished } from 'vitest'
import type { CaseId, CaseResult, ConformConfig, ConformReport, Probed } from '../../../src/conform/index.ts'
import { Conformance, type ConformOptions } from '../../../src/conform/index.ts'
import { sign } from '../../../src/domain/webhook/signature.ts'
import { type StartOptions, startEmulator, type TestClient, type TestEmulator } from '../../../src/index.ts'

interface Purchase {
  state: 'waiting' | 'paid' | 'declined'
  parcels: number
  /** orderIds of the charges that were acted upon. */
  readonly shipped: Set<string>
}

/** So many orders are paid before a case begins: they show whether the configuration is right. */
export const paidForSetup = 2

/** An answer of the service. */
export interface Reply {
  readonly status: number
  readonly text: string
}

export interface FiatRecord {
  readonly orderId: string
  readonly orderStatus: string
}

/** A small application in this process that does everything right. A test that wants a bug overrides a step. */
export class ModelShop {
  readonly client: TestClient
  readonly purchases = new Map<string, Purchase>()
  readonly #fetch: typeof globalThis.fetch
  #count = 0

  constructor(client: TestClient, fetch: typeof globalThis.fetch) {
    this.client = client
    this.#fetch = fetch
  }

  /** As a test of conform configures it. */
  get config(): ConformConfig {
    return {
      client: this.client.clientId,
      webhookUrl: `http://${this.client.clientId}.test/webhooks`,
      settle: '20ms',
      patience: '150ms',
      polling: '150ms',
      start: (given) => this.buy(given),
      probe: (requestId) => this.show(requestId),
      browser: (url) => this.browser(url),
    }
  }

  show(requestId: string): Probed | null {
    const purchase = this.purchases.get(requestId)
    if (purchase === undefined) return null
    const status = { waiting: 'CREATED', paid: 'COMPLETED', declined: 'FAILED' } as const
    return { status: status[purchase.state], effects: purchase.parcels }
  }

  /** A customer buys something. @returns the requestId */
  async buy({ text }: { text: string }): Promise<string | null> {
    const requestId = this.newPurchase()
    await this.create(requestId, text)
    return requestId
  }

  /** @returns its requestId */
  newPurchase(): string {
    this.#count += 1
    const requestId = `${this.client.clientId}-${this.#count}`
    this.purchases.set(requestId, { state: 'waiting', parcels: 0, shipped: new Set() })
    return requestId
  }

  async create(requestId: string, text: string, fiatAmount = '10.00'): Promise<Reply> {
    const body = {
      currencyId: 'usd_us',
      fiatAmount,
      email: 'a@example.com',
      requestId,
      clientId: this.client.clientId,
      metadata: { note: text },
      callbackUrl: `http://${this.client.clientId}.test/return`,
    }
    return this.call('/v1/client/checkout/create-order', body, {
      signature: sign(`fiatAmount=${fiatAmount}&requestId=${requestId}`, this.client.apiSecret),
    })
  }

  /** A webhook comes. */
  async webhook(request: Request): Promise<Response> {
    const event = await readEvent(request)
    if (event === null) return new Response('not an event', { status: 400 })
    if (!this.purchases.has(event.requestId)) return new Response('unknown', { status: 404 })
    return new Response(null, { status: (await this.settle(event.requestId)) ? 204 : 503 })
  }

  /** The payer's browser comes back. */
  async browser(url: string): Promise<Response> {
    const { requestId } = dataIn(url)
    if (!this.purchases.has(requestId)) return new Response('nothing to see', { status: 404 })
    await this.settle(requestId)
    return new Response('Thank you')
  }

  /** Does what the service says of an order. @returns whether it could be asked */
  async settle(requestId: string): Promise<boolean> {
    const records = await this.lookUp(requestId)
    if (records === null) return false
    for (const record of records) this.act(requestId, record)
    return true
  }

  act(requestId: string, { orderId, orderStatus }: FiatRecord): void {
    const purchase = this.purchases.get(requestId)
    if (purchase === undefined) return
    if (orderStatus === 'COMPLETED' && !purchase.shipped.has(orderId)) {
      purchase.shipped.add(orderId)
      purchase.state = 'paid'
      purchase.parcels += 1
    }
    if (orderStatus === 'FAILED' && purchase.state === 'waiting') purchase.state = 'declined'
  }

  async lookUp(requestId: string): Promise<FiatRecord[] | null> {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    const { status, text } = await this.call(`/v1/client/orders?${query}`)
    return status === 200 ? JSON.parse(text).data : null
  }

  async call(
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Reply> {
    const response = await this.#fetch(`${this.client.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'access-token': this.client.accessToken, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    return { status: response.status, text: await response.text() }
  }
}

/** The data that the service puts into the return URL. */
export function dataIn(url: string): { requestId: string; orderId: string; orderStatus: string } {
  const data = new URL(url).searchParams.get('data') ?? ''
  return JSON.parse(Buffer.from(data, 'base64url').toString())
}

async function readEvent(request: Request): Promise<{ requestId: string } | null> {
  try {
    const event = JSON.parse(await request.text())
    return typeof event?.requestId === 'string' ? event : null
  } catch {
    return null
  }
}

type ShopClass<Shop> = new (client: TestClient, fetch: typeof globalThis.fetch) => Shop

/** Opens shops on one emulator without a port, each with a client of its own. */
export async function shops(
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
  settings: StartOptions['settings'] = {},
) {
  const open = new Map<string, ModelShop>()
  const emulator: TestEmulator = await startEmulator({
    listen: false,
    settings,
    webhookFetch: async (request) => {
      const shop = open.get(new URL(request.url).host)
      return shop === undefined ? new Response(null, { status: 404 }) : shop.webhook(request)
    },
  })
  atEnd(() => emulator.close())
  return {
    emulator,
    async open<Shop extends ModelShop>(shop: ShopClass<Shop>): Promise<Shop> {
      const client = await emulator.createClient()
      const opened = new shop(client, emulator.fetch)
      open.set(`${client.clientId}.test`, opened)
      return opened
    },
    /** Runs cases against a shop. */
    async run(
      shop: ModelShop,
      only: readonly CaseId[],
      config: Partial<ConformConfig> = {},
      options: ConformOptions = {},
    ): Promise<ConformReport> {
      const chosen = { only, seed: 'a test', ...options }
      return new Conformance(emulator, { ...shop.config, ...config }, chosen).run()
    },
  }
}

/** The result of a case. @throws Error if it did not run */
export function resultOf(report: ConformReport, id: CaseId): CaseResult {
  const result = report.cases.find((each) => each.id === id)
  if (result === undefined) throw new Error(`${id} did not run: ${JSON.stringify(report.problems)}`)
  return result
}
