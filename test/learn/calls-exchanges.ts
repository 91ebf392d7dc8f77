import { onTestFinished } from 'vitest'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../src/app/emulator.ts'
import type { SettingName } from '../../src/domain/choices/settings.ts'
import { type SettingChanges, startEmulator, type TestClient, type TestEmulator } from '../../src/index.ts'
import type { Claims, Finding } from '../../src/learn/elimination/finding.ts'
import { buildEvidence } from '../../src/learn/evidence/build-evidence.ts'
import type { Evidence, Secrets } from '../../src/learn/evidence/evidence.ts'
import type { Rule } from '../../src/learn/rules/rule.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'

export interface Sent {
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
  /** The headers to leave out. */
  readonly without?: readonly string[]
}

const none: Secrets = { apiSecret: null, webhookSecret: null }

/** The start of the clock of every capture. */
const startTime = '2026-11-27T13:00:00.000Z'
const start = Date.parse(startTime)

/** Exchanges written by hand, one second apart, with what an application would send and get. */
export function exchange(fields: Partial<Exchange> & { readonly seconds?: number }): Exchange {
  const { seconds = 0, ...rest } = fields
  return {
    source: { file: 'calls.jsonl', place: `line ${seconds}` },
    at: start + seconds * 1000,
    ms: 20,
    method: 'GET',
    origin: 'https://api.example.com',
    path: '/v1/client/orders',
    query: new URLSearchParams(),
    headers: {},
    body: null,
    isExact: true,
    status: 200,
    responseHeaders: {},
    response: '{"data":[]}',
    isAnswered: true,
    ...rest,
  }
}

export const evidenceOf = (exchanges: readonly Exchange[], secrets: Secrets = none): Evidence =>
  buildEvidence(
    exchanges.map((each) => ({ exchange: each, direction: null })),
    secrets,
  ).evidence

/** What a rule finds about one setting. */
export function findingOf(
  rule: Rule,
  setting: SettingName,
  evidence: Evidence,
  claims: Claims = new Map(),
): Finding {
  const findings = rule.learn(evidence, { claims, found: () => undefined })
  const finding = findings.find((each) => each.setting === setting)
  if (finding === undefined) throw new Error(`the rule says nothing about ${setting}`)
  return finding
}

/** State and value of a finding, the parts that a test looks at. */
export function result(rule: Rule, setting: SettingName, evidence: Evidence): [string, unknown] {
  const { state, value } = findingOf(rule, setting, evidence)
  return [state, value]
}

/** Whether a claimed value contradicts the traffic. */
export function contradicts(rule: Rule, setting: SettingName, evidence: Evidence, value: unknown): boolean {
  const { claim } = findingOf(rule, setting, evidence, new Map([[setting, value]]))
  return claim?.holds === false
}

/** An application of a real emulator, whose calls are recorded as a capture has them. */
export class RecordedShop {
  readonly exchanges: Exchange[] = []
  readonly emulator: TestEmulator
  readonly client: TestClient
  #requests = 0

  constructor(emulator: TestEmulator, client: TestClient) {
    this.emulator = emulator
    this.client = client
  }

  static async under(settings: SettingChanges): Promise<RecordedShop> {
    const emulator = await startEmulator({ clock: 'manual', listen: false, startTime, settings })
    onTestFinished(() => emulator.close())
    return new RecordedShop(emulator, await emulator.createClient())
  }

  /** Sends a call and records it. Each takes 20 ms of the clock of the capture, which runs ahead of the emulator's. */
  async call(
    method: string,
    path: string,
    { body, headers = {}, without = [] }: Sent = {},
  ): Promise<Exchange> {
    const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? null)
    const all = Object.entries({
      'access-token': this.client.accessToken,
      ...(text !== null && { 'content-type': 'application/json' }),
      ...headers,
    }).filter(([name]) => !without.includes(name))
    const sent = Object.fromEntries(all)
    const at = await this.client.clock.now()
    const answer = await this.emulator.fetch(`${this.emulator.url}${path}`, {
      method,
      headers: sent,
      ...(text !== null && { body: text }),
    })
    const url = new URL(`https://api.example.com${path}`)
    const recorded = exchange({
      source: { file: 'capture.har', place: `entry ${this.exchanges.length}` },
      at,
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: sent,
      body: text,
      status: answer.status,
      responseHeaders: withoutDate(answer.headers),
      response: await answer.text(),
    })
    this.exchanges.push(recorded)
    return recorded
  }

  /** Sends a checkout call, signed over a text that is short unless said otherwise. */
  create(
    fields: Readonly<Record<string, unknown>> = {},
    {
      text = short,
      path = 'checkout',
      headers = {},
    }: { text?: Signed; path?: string; headers?: Sent['headers'] } = {},
  ): Promise<Exchange> {
    this.#requests += 1
    const body: Fields = {
      currencyId: 'EUR',
      fiatAmount: '10.00',
      email: 'a@example.com',
      requestId: `request-${this.#requests}`,
      clientId: this.client.clientId,
      ...fields,
    }
    const signature = this.client.sign(text(body))
    return this.call('POST', `/v1/client/${path}/create-order`, { body, headers: { signature, ...headers } })
  }

  subscribe(interval: string, path = 'subscription'): Promise<Exchange> {
    return this.create({ interval }, { text: ofSubscription, path })
  }

  lookUp(headers: Sent['headers'] = {}, requestId = 'request-1', list = 'orders'): Promise<Exchange> {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    return this.call('GET', `/v1/client/${list}?${query}`, { headers })
  }

  /** Asks for a token at the emulator's own path. */
  async token(path = '/_emulator/access-token', sent?: Sent): Promise<string> {
    const { clientId, apiSecret } = this.client
    const { response } = await this.call('POST', path, {
      without: ['access-token'],
      body: { clientId, apiSecret },
      ...sent,
    })
    const texts = JSON.stringify(Object.values(JSON.parse(response ?? '{}')))
    return /[\w-]{43}/.exec(texts)?.[0] ?? ''
  }

  get secrets(): Secrets {
    return { apiSecret: this.client.apiSecret, webhookSecret: null }
  }

  get evidence(): Evidence {
    return evidenceOf(this.exchanges, this.secrets)
  }
}

/** The header `Date` has the time of the computer, which is not the time of the client's clock. */
const withoutDate = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'date'))

type Fields = Readonly<Record<string, unknown>>
type Signed = (fields: Fields) => string

const short: Signed = ({ fiatAmount, requestId }) => `fiatAmount=${fiatAmount}&requestId=${requestId}`
export const withCurrency: Signed = (fields) => `currencyId=${fields.currencyId}&${short(fields)}`
const ofSubscription: Signed = (fields) => `${withCurrency(fields)}&interval=${fields.interval}`
