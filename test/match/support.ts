import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import {
  type ReceivedWebhook,
  type SettingChanges,
  startEmulator,
  type TestClient,
  type TestEmulator,
  type WebhookInbox,
} from '../../src/index.ts'
import { checkout, openInboxAt } from '../testing/support/inbox.ts'
import { sharedEmulator } from '../testing/support/shared-emulator.ts'

/** Where the clocks of the providers' emulators start: the day of the examples in their documents. */
export const startTime = '2026-11-27T13:05:04.123Z'

/** The settings in a file, as `--settings` reads them. */
const settingsIn = (file: string): SettingChanges => parse(readFileSync(file, 'utf8'))

/** One emulator for all tests of a file, which follows a provider's settings file and nothing else. */
export const emulatorUnder = (file: string): (() => TestEmulator) =>
  sharedEmulator(async (options, atEnd = onTestFinished) => {
    const emulator = await startEmulator({
      ...options,
      listen: false,
      startTime,
      seed: file,
      settings: settingsIn(file),
    })
    atEnd(() => emulator.close())
    return emulator
  })

/** A client of a provider with its inbox, and what tests of its conventions do. */
export class Shop {
  readonly emulator: TestEmulator
  readonly client: TestClient
  readonly inbox: WebhookInbox

  private constructor(emulator: TestEmulator, client: TestClient, inbox: WebhookInbox) {
    this.emulator = emulator
    this.client = client
    this.inbox = inbox
  }

  /** @param secrets those of the provider's documents */
  static async at(
    emulator: TestEmulator,
    secrets: { apiSecret?: string; webhookSecret?: string } = {},
  ): Promise<Shop> {
    const { client, inbox } = await openInboxAt(emulator, secrets)
    return new Shop(emulator, client, inbox)
  }

  /** Creates an order that follows a scenario. */
  create(scenario = 'happy', fields: object = {}) {
    return this.client.createCheckoutOrder({ ...checkout, currencyId: 'EUR', ...fields }, { scenario })
  }

  /** Plays a scenario to an order's end, and returns the webhook of a status.
   *  @param orderStatus in the emulator's own words */
  async told(scenario: string, orderStatus: string, fields: object = {}): Promise<Told> {
    const { requestId } = await this.create(scenario, fields)
    await this.client.clock.advance('2m')
    return this.next(requestId, orderStatus)
  }

  /** The webhook of an order about a status, with a valid signature. */
  async next(requestId: string, orderStatus: string): Promise<Told> {
    const webhook = await this.inbox.next({ requestId, orderStatus })
    const { orderId } = await this.client.orders.get(requestId)
    return { ...webhook, requestId, orderId }
  }

  /** The delays between the attempts of a webhook that always gets the same answer, until it is given up.
   *  @returns milliseconds on the client's clock */
  async delays(
    answer: { status: number; headers?: Record<string, string> },
    within = '7d',
  ): Promise<number[]> {
    this.inbox.answer(answer)
    const { requestId } = await this.create('never-pays')
    await this.client.clock.advance(within)
    const [delivery] = await this.client.deliveries.list({ requestId })
    const times = (delivery?.attempts ?? []).map(({ at }) => at)
    return times.slice(1).map((at, index) => at - (times[index] ?? 0))
  }

  /** Sends a call as an application does, with the client's access token if no other is named. */
  async call(method: string, path: string, { body, headers = {} }: CallContent = {}) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await this.emulator.fetch(`${this.emulator.url}${path}`, {
      method,
      headers: { 'access-token': this.client.accessToken, ...type, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, json: jsonIn(text) }
  }

  /** Looks orders up. */
  lookUp(list: 'orders' | 'crypto-orders' | 'fiat-refunds', requestId: string, headers = {}) {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    return this.call('GET', `/v1/client/${list}?${query}`, { headers })
  }

  /** Sends a create call with these fields, signed as the API specification says. */
  async send(fields: Readonly<Record<string, unknown>>, toSign = shortForm) {
    const body = { clientId: this.client.clientId, requestId: 'r1', currencyId: 'EUR', ...fields }
    const signature = this.client.sign(toSign({ fiatAmount: '', ...body }))
    return this.call('POST', '/v1/client/checkout/create-order', { body, headers: { signature } })
  }
}

const shortForm = ({ fiatAmount, requestId }: { fiatAmount: unknown; requestId: unknown }): string =>
  `fiatAmount=${fiatAmount}&requestId=${requestId}`

interface CallContent {
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

/** A received webhook, with the ids of its order. */
export interface Told extends ReceivedWebhook {
  readonly requestId: string
  readonly orderId: string
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Computes a signature as a receiver does. */
export const hmac = (
  text: string,
  key: string | Buffer,
  { hash = 'sha256', as = 'hex' }: { hash?: string; as?: 'hex' | 'base64' | 'base64url' } = {},
): string => createHmac(hash, key).update(text).digest(as)

export const minutes = (...all: number[]): number[] => all.map((each) => each * 60_000)

/** The parts of a JWT. */
export function jwtIn(token: string) {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { head: read(head), claims: read(claims), signature, signed: `${head}.${claims}` }
}

/** The status of a lookup with an access token. */
export const statusWith = async (shop: Shop, token: string): Promise<number> =>
  (await shop.lookUp('orders', 'r1', { 'access-token': token })).status
