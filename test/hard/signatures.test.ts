import { createServer, type IncomingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import type { TestClient } from '../support/client.ts'
import { report } from './support/figures.ts'
import { startRemote } from './support/remote.ts'

const seed = 20260421
const perClient = 45

/** A webhook as a receiver's code gets it. */
interface Webhooked {
  readonly clientId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
const anyText = fc.oneof(
  text,
  text.map((some) => some.repeat(1_000)),
  fc.constantFrom('zamówienie ✓', '👩‍👩‍👧', '\u0000', '\u2028', '"\\', '.', ' ', 'a.b.c', '\uFEFF'),
)
/** A requestId has 1,000 UTF-16 units at most. */
const anyId = anyText.map((some) => Array.from(some).slice(0, 400).join(''))
/** Bodies that `POST /_emulator/deliveries` sends unchanged, the empty one included. */
const anyBody = fc.oneof(fc.constantFrom('', '{}', '[]', 'null', ' '), anyText)
/** Whatever the emulator takes for a secret, the shortest included. */
const secret = fc.oneof(
  fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
  fc.stringMatching(/^whsec_(?:[A-Za-z0-9+/]{4}){0,9}[A-Za-z0-9+/]{2}==$/),
)
const formats = ['flat', 'envelope', 'jwt', 'template'] as const
const template = { '${webhookId}': ['${requestId}', '✓ ${orderStatus}'] }

test('every webhook is accepted by the standardwebhooks package, and nothing that was changed is', async () => {
  const { webhooks, url } = await startCollector()
  const { emulator } = await startRemote(['--clock', 'manual'])
  const clients = new Map<string, TestClient>()
  const secrets = fc.sample(secret, { seed, numRuns: 16 })
  for (const [n, webhookSecret] of secrets.entries()) {
    const format = formats[n % formats.length]
    const settings = { 'webhook.format': format, 'webhook.template': template }
    const clientId = `c${n}`
    const client = await emulator.addClient({
      clientId,
      webhookSecret,
      webhookUrl: `${url}/${clientId}`,
      settings,
    })
    clients.set(clientId, client)
    const samples = fc.sample(fc.record({ requestId: anyId, orderStatus: anyText, body: anyBody }), {
      seed: seed + n,
      numRuns: perClient / 3,
    })
    await Promise.all(
      samples.map(async ({ requestId, orderStatus, body }, m) => {
        const answers = [
          await client.createCheckout(`${requestId}${m}`),
          await client.simulate(client.simulation(requestId, { orderStatus })),
          await emulator.control('/deliveries', 'POST', { clientId, body }),
        ]
        expect(answers.map(({ status }) => status < 300)).toEqual([true, true, true])
      }),
    )
    await client.settle()
  }

  const wronglyRefused = webhooks.filter((webhook) => !accepted(secretOf(clients, webhook), webhook))
  const wronglyAccepted = webhooks.flatMap((webhook, n) => {
    const other = webhooks[(n + 1) % webhooks.length] ?? webhook
    return forgeries(webhook, other, secretOf(clients, webhook))
      .filter(([, key, forgery]) => accepted(key, forgery))
      .map(([name]) => name)
  })
  report({
    area: 'signatures',
    promise: 'Every webhook passes the standardwebhooks package, and nothing that was changed does',
    test: 'test/hard/signatures.test.ts',
    figures: {
      webhooks: webhooks.length,
      'wrongly refused': wronglyRefused.length,
      forgeries: webhooks.length * 8,
      'wrongly accepted': wronglyAccepted.length,
    },
  })
  expect(webhooks).toHaveLength(secrets.length * perClient)
  expect(webhooks.some(({ body }) => body === '')).toBe(true)
  expect(wronglyRefused).toEqual([])
  expect(wronglyAccepted).toEqual([])
})

/** Forgeries that must be refused: a name, the receiver's key, and the webhook. */
function forgeries(webhook: Webhooked, other: Webhooked, key: string): [string, string, Webhooked][] {
  const { headers, body } = webhook
  const time = Number(headers['webhook-timestamp'])
  const changed = (more: Readonly<Record<string, string>>) => ({
    ...webhook,
    headers: { ...headers, ...more },
  })
  const wrongKey = `whsec_${Buffer.from(`${key}!`).toString('base64')}`
  return [
    ['another key', wrongKey, webhook],
    ['a longer body', key, { ...webhook, body: `${body} ` }],
    ['another body', key, { ...webhook, body: body === '' ? '{}' : `${body.slice(0, -1)}\u0001` }],
    ['another id', key, changed({ 'webhook-id': `${headers['webhook-id']}0` })],
    ['a later time', key, changed({ 'webhook-timestamp': String(time + 1) })],
    ['an earlier time', key, changed({ 'webhook-timestamp': String(time - 1) })],
    ['another signature', key, changed({ 'webhook-signature': String(other.headers['webhook-signature']) })],
    ['no signature', key, changed({ 'webhook-signature': 'v1,' })],
  ]
}

function accepted(key: string, { headers, body }: Webhooked): boolean {
  try {
    new Webhook(key).verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}

function secretOf(clients: ReadonlyMap<string, TestClient>, { clientId }: Webhooked): string {
  return clients.get(clientId)?.webhookSecret ?? ''
}

/** An endpoint for all clients; the path names the client. */
async function startCollector(): Promise<{ webhooks: readonly Webhooked[]; url: string }> {
  const webhooks: Webhooked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const clientId = request.url?.slice(1) ?? ''
    webhooks.push({ clientId, headers: texts(request.headers), body: Buffer.concat(chunks).toString('utf8') })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { webhooks, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

function texts(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
