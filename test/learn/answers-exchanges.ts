import { onTestFinished } from 'vitest'
import type { SettingName } from '../../src/domain/choices/settings.ts'
import { sign } from '../../src/domain/webhook/signature.ts'
import {
  type NewClient,
  type SettingChanges,
  startEmulator,
  type TestClient,
  type TestEmulator,
} from '../../src/index.ts'
import type { Finding, Unexplained } from '../../src/learn/elimination/finding.ts'
import { buildEvidence } from '../../src/learn/evidence/build-evidence.ts'
import type { Evidence } from '../../src/learn/evidence/evidence.ts'
import { expiry } from '../../src/learn/rules/answers/expiry.ts'
import type { Context, Rule } from '../../src/learn/rules/rule.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'

/** Where the manual clocks of these tests start. */
export const startTime = '2026-11-27T13:05:04.123Z'

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** A client whose calls are recorded as exchanges, with the times of its own clock. */
export class RecordedShop {
  readonly exchanges: Exchange[] = []
  readonly emulator: TestEmulator
  readonly client: TestClient
  #requests = 0

  constructor(emulator: TestEmulator, client: TestClient) {
    this.emulator = emulator
    this.client = client
  }

  /** Creates an order of the next requestId.
   *  @returns its requestId */
  async create(fields: Readonly<Record<string, unknown>> = {}, scenario = 'happy'): Promise<string> {
    const requestId = `${this.client.clientId}-r${++this.#requests}`
    const { clientId } = this.client
    const body = {
      clientId,
      currencyId: 'EUR',
      fiatAmount: '10.00',
      email: 'a@example.com',
      requestId,
      ...fields,
    }
    const isSubscription = 'interval' in body
    const short = `fiatAmount=${body.fiatAmount}&requestId=${body.requestId}`
    const text = isSubscription
      ? `currencyId=${body.currencyId}&${short}&interval=${String(body.interval)}`
      : short
    const path = `/v1/client/${isSubscription ? 'subscription' : 'checkout'}/create-order`
    await this.call('POST', path, {
      body,
      headers: { signature: sign(text, this.client.apiSecret), 'emulator-scenario': scenario },
    })
    return String(body.requestId)
  }

  /** Looks orders up. */
  async lookUp(list: 'orders' | 'crypto-orders' | 'fiat-refunds', requestId: string): Promise<void> {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    await this.call('GET', `/v1/client/${list}?${query}`)
  }

  /** Looks an order up in all lists. */
  async lookUpAll(requestId: string): Promise<void> {
    for (const list of ['orders', 'crypto-orders', 'fiat-refunds'] as const)
      await this.lookUp(list, requestId)
  }

  async call(method: string, target: string, { headers = {}, body }: Sent = {}): Promise<void> {
    const at = await this.client.clock.now()
    const text = body === undefined ? null : JSON.stringify(body)
    const sent = {
      'access-token': this.client.accessToken,
      ...(text !== null && { 'content-type': 'application/json' }),
      ...headers,
    }
    const answer = await this.emulator.fetch(this.emulator.url + target, {
      method,
      headers: sent,
      ...(text !== null && { body: text }),
    })
    const { pathname, searchParams } = new URL(target, this.emulator.url)
    this.exchanges.push({
      source: { file: 'shop.jsonl', place: `line ${this.exchanges.length + 1}` },
      at,
      ms: 0,
      method,
      origin: this.emulator.url,
      path: pathname,
      query: searchParams,
      headers: sent,
      body: text,
      isExact: true,
      status: answer.status,
      // The emulator's `Date` is that of the machine, not of the client's clock.
      responseHeaders: Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date')),
      response: await answer.text(),
      isAnswered: true,
    })
  }
}

/** A shop of an emulator with some settings, whose clocks stand still. */
export async function openShop(settings: SettingChanges = {}, client: NewClient = {}): Promise<RecordedShop> {
  const emulator = await startEmulator({ listen: false, clock: 'manual', startTime, seed: 'learn', settings })
  onTestFinished(() => emulator.close())
  return new RecordedShop(emulator, await emulator.createClient(client))
}

export const evidenceOf = (...lists: readonly (readonly Exchange[])[]): Evidence =>
  buildEvidence(
    lists.flat().map((exchange) => ({ exchange, direction: null })),
    { apiSecret: null, webhookSecret: null },
  ).evidence

/** Values that were found before, and values that are claimed. */
interface Given {
  readonly found?: Readonly<Record<string, unknown>>
  readonly claims?: { readonly [Name in SettingName]?: unknown }
}

function contextOf(evidence: Evidence, { found = {}, claims = {} }: Given): Context {
  const nothing = { claims: new Map(), found: () => undefined }
  const values = Object.fromEntries(
    expiry.learn(evidence, nothing).map(({ setting, value }) => [setting, value]),
  )
  const known = { ...values, ...found }
  return {
    claims: new Map(Object.entries(claims).flatMap(([name, value]) => (isName(name) ? [[name, value]] : []))),
    found: (setting) => known[setting],
  }
}

const isName = (_: string): _ is SettingName => true

/** What a rule finds out about a setting, after the rule about expiries. */
export function learned(rule: Rule, setting: SettingName, evidence: Evidence, given: Given = {}): Finding {
  const finding = rule.learn(evidence, contextOf(evidence, given)).find((each) => each.setting === setting)
  if (finding === undefined) throw new Error(`the rule has no finding about ${setting}`)
  return finding
}

/** What a rule lists as unexplained, without sources. */
export function unexplainedBy(
  rule: Rule,
  evidence: Evidence,
  given: Given = {},
): Omit<Unexplained, 'source'>[] {
  return (rule.unexplained?.(evidence, contextOf(evidence, given)) ?? []).map(
    ({ source: _, ...rest }) => rest,
  )
}

/** Changes the answers to some calls, as a fault or another service would. */
export const changed = (
  exchanges: readonly Exchange[],
  change: (answer: Record<string, unknown>, exchange: Exchange) => unknown,
): Exchange[] =>
  exchanges.map((exchange) => {
    const answer: unknown = JSON.parse(exchange.response ?? 'null')
    const fields = typeof answer === 'object' && answer !== null ? { ...answer } : {}
    return { ...exchange, response: JSON.stringify(change(fields, exchange)) }
  })

/** Cuts the answers in half. */
export const cut = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.map((exchange) => ({
    ...exchange,
    response: (exchange.response ?? '').slice(0, Math.floor((exchange.response ?? '').length / 2)),
  }))

/** Answers every call with a status instead. */
export const failing = (exchanges: readonly Exchange[], status: number): Exchange[] =>
  exchanges.map((exchange) => ({ ...exchange, status }))
