import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Answer, isObject, type JsonObject } from '../support/answer.ts'
import { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

// The timeline of `explain` is compared with reality, ids, bodies and times included: both follow from the same seed,
// client and requestId.

const requestId = 'explain'

/** Features, and combinations, that no built-in scenario has. */
const more = {
  'waits-for-payer': `
timeline:
  - { at: payer, pay: completed }
  - { after: 3s, order: COMPLETED }
  - { after: 1h, refund: 30% }`,
  'waits-for-lookups': `
timeline:
  - { at: 5s, pay: completed }
  - { lookup: 2, crypto: { order: COMPLETED } }
  - { lookup: { n: 4, of: fiat-refunds }, order: COMPLETED }
  - { after: 10m, webhook: { status: REFUNDED } }`,
  expires: `
settings: { orders.onExpiry: fail }
timeline: []`,
  'late-and-dropped': `
webhooks:
  - { of: CREATED, delay: 40m }
  - { of: ON_REVIEW, drop: true }
timeline:
  - { at: 1s, pay: completed }
  - { at: 2s, order: ON_REVIEW }
  - { at: 3s, order: COMPLETED }
  - { at: expiry + 1m, refund: all }`,
  'moves-the-url': `
timeline:
  - { at: 1s, client: { webhookUrl: { addQuery: moved=1 } } }
  - { at: 2s, pay: completed, order: COMPLETED }
  - { after: 1s, client: { webhookUrl: null } }
  - { after: 1s, order: FAILED, force: true }`,
  'late-without-url': `
webhooks: { of: COMPLETED, delay: 5m }
timeline:
  - { at: 1s, order: COMPLETED }
  - { after: 1m, client: { webhookUrl: null } }
  - { after: 1s, refund: all }`,
  'copies-and-forgeries': `
webhooks:
  - { of: COMPLETED, duplicate: 2, apart: 10s, simultaneous: 1, ids: fresh }
  - { of: CREATED, patch: { extra: 1 }, sign: wrong, times: 2, countAs: 500 }
timeline:
  - { at: 1s, order: COMPLETED }
  - { after: 1m, webhook: { status: FAILED, body: { forged: true }, delay: 30s } }`,
  'out-of-turn': `
webhooks: { of: CREATED, after: COMPLETED, delay: 5s }
timeline:
  - { at: 1s, order: ON_REVIEW }
  - { at: 2s, order: COMPLETED }`,
  'endless-charges': `
for: subscription
trial: 7d
clock: 2026-01-31T23:30:00Z
timeline:
  - { at: 2s, pay: completed }
  - { every: interval, order: COMPLETED, after: 3s }
  - { charge: 3, order: FAILED, error: "9004" }`,
  'charges-that-end': `
for: [subscription]
timeline:
  - { at: 2s, pay: completed }
  - { every: interval, times: 4, order: COMPLETED }
  - { at: interval + 3d, cancel: true }`,
  chance: `
timeline:
  - { at: 1s, order: COMPLETED }
random:
  pick: 1-2
  from:
    - { name: late, webhooks: { of: CREATED, delay: 5m } }
    - { name: later, webhooks: { of: COMPLETED, delay: 6m } }
    - { name: silent, webhooks: { of: CREATED, drop: true } }`,
}

const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
for (const [id, text] of Object.entries(more)) {
  writeFileSync(join(folder, `${id}.yaml`), `id: ${id}\ndescription: for a test${text}\n`)
}

interface Row extends JsonObject {
  readonly at: number
  readonly charge: number
}

test.each([...globSync('scenarios/*.yaml').map((file) => basename(file, '.yaml')), ...Object.keys(more)])(
  'what explain tells of %s is what happens',
  async (id) => {
    const told = await explained(id)
    const receiver = await startReceiver()
    const emulator = await startFor(told, receiver.url)
    await live(emulator, id, told)
    expect(await changes(emulator)).toEqual(
      told.rows.flatMap((row) => (row.type === 'change' ? listIn(row, 'changes').map(placed(row)) : [])),
    )
    const webhooks = told.rows.filter(({ type }) => type === 'webhook')
    expect(await firstAttempts(emulator)).toEqual(
      webhooks.map(({ at, sent, body }) => ({ at: sent ? at : null, body: parsed(body) })).toSorted(byTime),
    )
    // Retries come on top.
    const sent = webhooks.filter((row) => row.sent).map(({ body }) => body)
    expect(receiver.requests.map(({ text }) => text)).toEqual(expect.arrayContaining(sent))
  },
)

/** Explaining changes nothing, so one will do. */
const explaining = await startTestEmulator({ scenarios: [folder], seed: 'explain' }, afterAll)

async function explained(id: string) {
  const { json } = await explaining.control(`/scenarios/${id}/explain`)
  const order = json.order
  const rows = listIn(json, 'rows').map(
    (row): Row => ({ ...row, at: Number(row.at), charge: Number(row.charge) }),
  )
  if (!isObject(order)) throw new Error('no order')
  const holdsAnswer = /create-order, after everything is stored: (delay|hang)/.test(
    JSON.stringify(json.answerRules),
  )
  return { rows, kind: order.kind, holdsAnswer, startTime: new Date(Number(order.createdAt)).toISOString() }
}

type Told = Awaited<ReturnType<typeof explained>>

const startFor = ({ startTime }: Told, webhookUrl: string) =>
  startTestEmulator({ scenarios: [folder], seed: 'explain', startTime, webhookUrl })

/** Creates the order, does what the rehearsal assumes of others, and lets time pass to its end. */
async function live(emulator: TestEmulator, id: string, { rows, kind, holdsAnswer }: Told): Promise<void> {
  const client = new TestClient(emulator, {
    clientId: 'demo-client',
    apiSecret: 'demo-secret',
    accessToken: 'demo-token',
    webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
  })
  await begin(emulator, () => create(emulator, client, id, kind), holdsAnswer)
  for (const { at, assumed } of rows) {
    if (typeof assumed !== 'string') continue
    await advanceTo(emulator, at)
    await act(client, assumed)
  }
  await advanceTo(emulator, Math.max(...rows.map(({ at }) => at)))
}

/** Creates the order, again where a scenario refuses it at first. An answer that is held comes when time passes. */
async function begin(
  emulator: TestEmulator,
  call: () => Promise<Answer>,
  holdsAnswer: boolean,
): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    let over = false
    // A connection that is cut has no answer.
    const ended = call()
      .catch(() => null)
      .finally(() => {
        over = true
      })
    if (!holdsAnswer) await ended
    while (!over && !(await exists(emulator)));
    if (await exists(emulator)) return
  }
  throw new Error('no order came of it')
}

const exists = async (emulator: TestEmulator) =>
  (await emulator.control(`/orders?requestId=${requestId}`)).items.length > 0

function create(emulator: TestEmulator, client: TestClient, scenario: string, kind: unknown) {
  const { clientId } = client
  const order = { fiatAmount: '10.00', email: 'payer@example.com' }
  if (kind === 'payout' || kind === 'crypto-payin') {
    return emulator.control('/orders', 'POST', { clientId, requestId, kind, scenario, ...order })
  }
  const options = { headers: { 'emulator-scenario': scenario } }
  return kind === 'subscription'
    ? client.createSubscription(client.subscription(requestId, order), options)
    : client.createCheckout(client.checkout(requestId, order), options)
}

const advanceTo = (emulator: TestEmulator, at: number) =>
  emulator.control('/clock/advance?clientId=demo-client', 'POST', { to: new Date(at).toISOString() })

function act(client: TestClient, assumed: string): Promise<unknown> {
  if (assumed.includes('payer')) return client.pay(requestId, 'completed')
  if (assumed.endsWith('fiat-refunds')) return client.refunds(requestId)
  return assumed.endsWith('crypto-orders') ? client.cryptoOrders(requestId) : client.fiatOrders(requestId)
}

async function changes(emulator: TestEmulator) {
  const { items } = await emulator.control(`/orders?requestId=${requestId}`)
  const entries = items.flatMap((order) =>
    listIn(order, 'history').map(({ at, what, from, to }) => ({
      at: Number(at),
      charge: Number(order.charge),
      ...named({ what, from, to }),
    })),
  )
  return entries.toSorted(byTime)
}

const placed =
  ({ at, charge }: Row) =>
  ({ what, from, to }: JsonObject) => ({ at, charge, ...named({ what, from, to }) })

const named = (members: JsonObject) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

async function firstAttempts(emulator: TestEmulator) {
  const { items } = await emulator.control(`/deliveries?requestId=${requestId}&limit=1000`)
  const found = items.map((delivery) => {
    const [first] = listIn(delivery, 'attempts')
    return { at: first === undefined ? null : Number(first.at), body: delivery.body }
  })
  return found.toSorted(byTime)
}

/** Only by time: within a moment, order is kept. */
const byTime = (a: { at: number | null }, b: { at: number | null }) => (a.at ?? 0) - (b.at ?? 0)

const parsed = (body: unknown): unknown => JSON.parse(String(body))

function listIn(of: JsonObject, member: string): readonly JsonObject[] {
  const list = of[member]
  return Array.isArray(list) ? list.filter(isObject) : []
}
