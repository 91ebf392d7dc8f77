import { onTestFinished } from 'vitest'
import { type SettingChanges, startEmulator, type TestClient } from '../../src/index.ts'
import { canonical } from '../../src/learn/elimination/eliminate.ts'
import { buildEvidence } from '../../src/learn/evidence/build-evidence.ts'
import type { Evidence, Secrets } from '../../src/learn/evidence/evidence.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'

const startTime = '2026-11-27T13:05:04.123Z'

/** The fields of an exchange that a test cares about. */
type Fields = Partial<Exchange> & Pick<Exchange, 'method' | 'path' | 'at'>

/** An exchange with the fields of a test. */
export const exchange = (fields: Fields): Exchange => ({
  source: { file: 'traffic.jsonl', place: `line ${fields.at}` },
  ms: 5,
  origin: null,
  query: new URLSearchParams(),
  headers: {},
  body: null,
  isExact: true,
  status: 200,
  responseHeaders: {},
  response: null,
  isAnswered: true,
  ...fields,
})

const noSecrets: Secrets = { apiSecret: null, webhookSecret: null }

/** Evidence of exchanges, of which POSTs to `/hooks` are webhooks. */
export const evidenceOf = (exchanges: readonly Exchange[], secrets: Secrets = noSecrets): Evidence =>
  buildEvidence(
    exchanges.map((each) => ({ exchange: each, direction: each.path === '/hooks' ? 'webhook' : null })),
    secrets,
  ).evidence

/** An emulator under some settings whose traffic is recorded. */
export interface Recording {
  readonly client: TestClient
  readonly exchanges: readonly Exchange[]
  readonly secrets: Secrets
  /** Creates an order that follows a scenario. */
  create(fields?: object, scenario?: string): Promise<string>
  /** Looks up orders of a requestId in all three lists. */
  lookUp(requestId: string): Promise<void>
  advance(by: string): Promise<void>
  /** All that was recorded, with the webhooks so far. */
  all(): Promise<Exchange[]>
}

/** Starts an emulator with a manual clock, and records calls and webhooks on that clock.
 *  @param answer the status that the webhook endpoint answers to an attempt */
export async function record(
  settings: SettingChanges,
  answer: (body: string) => number = () => 200,
  clientId = 'merchant-7',
): Promise<Recording> {
  const received: { headers: Record<string, string>; text: string }[] = []
  const emulator = await startEmulator({
    listen: false,
    startTime,
    seed: 'body',
    clock: 'manual',
    settings: { 'webhook.signTime': 'virtual', ...settings },
    webhookFetch: async (request) => {
      const text = await request.text()
      received.push({ headers: Object.fromEntries(request.headers), text })
      return new Response('', { status: answer(text) })
    },
  })
  onTestFinished(() => emulator.close())
  const client = await emulator.createClient({ clientId, webhookUrl: 'http://shop.example/hooks' })
  const calls: Exchange[] = []
  const send = async (
    method: string,
    path: string,
    body: object | null,
    headers: Record<string, string> = {},
  ) => {
    const [bare = '', query = ''] = path.split('?')
    const { now } = await client.clock.read()
    const sent = { 'access-token': client.accessToken, 'client-id': client.clientId, ...headers }
    const text = body === null ? null : JSON.stringify(body)
    const reply = await emulator.fetch(`${emulator.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...sent },
      ...(text !== null && { body: text }),
    })
    calls.push(
      exchange({
        ...{ method, path: bare, at: Date.parse(String(now)) || Number(now), headers: sent, body: text },
        query: new URLSearchParams(query),
        status: reply.status,
        response: await reply.text(),
        source: { file: 'calls.jsonl', place: `line ${calls.length + 1}` },
      }),
    )
  }
  const signsCurrency = JSON.stringify(settings).includes('with-currency')
  let count = 0
  return {
    client,
    exchanges: calls,
    secrets: { apiSecret: client.apiSecret, webhookSecret: client.webhookSecret },
    async create(fields = {}, scenario) {
      count += 1
      const requestId = `cart-${count}-${'0123456789abcdef'.slice(count % 9, (count % 9) + 6)}`
      const order = {
        ...{
          currencyId: 'EUR',
          fiatAmount: `${10 + count}.50`,
          email: `buyer${count}@example.com`,
          requestId,
        },
        ...{ clientId: client.clientId, ...fields },
      }
      if (scenario !== undefined) await client.scenarios.next(scenario)
      const isSubscription = 'interval' in order
      const toSign = isSubscription
        ? `currencyId=${order.currencyId}&fiatAmount=${order.fiatAmount}&requestId=${requestId}&interval=${order.interval}`
        : `${signsCurrency ? `currencyId=${order.currencyId}&` : ''}fiatAmount=${order.fiatAmount}&requestId=${requestId}`
      const path = isSubscription ? 'subscription' : 'checkout'
      await send('POST', `/v1/client/${path}/create-order`, order, { signature: client.sign(toSign) })
      return requestId
    },
    async lookUp(requestId) {
      const query = new URLSearchParams({ requestId, clientId: client.clientId })
      for (const list of ['orders', 'crypto-orders', 'fiat-refunds'])
        await send('GET', `/v1/client/${list}?${query}`, null)
    },
    async advance(by) {
      await client.clock.advance(by)
    },
    async all() {
      const deliveries = await client.deliveries.list()
      const left = [...received]
      const webhooks = deliveries.flatMap(({ attempts, body, batch, id }) =>
        (batch === undefined || batch.id === id ? attempts : []).flatMap((attempt) => {
          const wanted = canonical(attempt.bodyText === undefined ? body : JSON.parse(attempt.bodyText))
          const index = left.findIndex(
            ({ headers, text }) =>
              canonical(JSON.parse(text)) === wanted &&
              Object.entries(attempt.requestHeaders).every(
                ([name, value]) => headers[name] === value || name === 'authorization',
              ),
          )
          const [found] = index < 0 ? [] : left.splice(index, 1)
          if (found === undefined) throw new Error(`no webhook was received for ${id}`)
          return exchange({
            ...{ method: 'POST', path: '/hooks', origin: 'http://shop.example', at: Number(attempt.at) },
            ...{ headers: found.headers, body: found.text, status: attempt.status },
            source: { file: 'webhooks.jsonl', place: `line ${received.indexOf(found) + 1}` },
          })
        }),
      )
      return [...calls, ...webhooks]
    },
  }
}
