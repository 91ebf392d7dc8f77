import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { restore, snapshotOf } from '../support/snapshot.ts'
import { wired } from '../support/wired-store.ts'

/** An emulator whose store is behind a wire: what it knows of a world and what the store has change some milliseconds
 *  apart. */
async function overAWire(): Promise<TestEmulator> {
  const store = await openSqliteStore({ file: ':memory:', durable: false })
  const emulator = await startTestEmulator({}, undefined, { store: wired(store) })
  onTestFinished(async () => {
    await emulator.close()
    await store.close()
  })
  return emulator
}

/** Repeats something, three at a time, until it is stopped; returns the results in order. */
function again<T>(act: (n: number) => Promise<T>) {
  let isOver = false
  const results: T[] = []
  let begun = 0
  const loop = async () => {
    while (!isOver) results.push(await act(begun++))
  }
  const loops = Array.from({ length: 12 }, loop)
  const end = async () => {
    isOver = true
    await Promise.all(loops)
    return results
  }
  return { results, end }
}

const secret = { apiSecret: 'secret of C1', webhookSecret: 'whsec_c2VjcmV0' }

/** C1 as it was, with a token, a URL and an order that is CREATED; a snapshot of that; and C1 as it is: another token,
 *  another URL, three days later, the order COMPLETED. */
async function twoWorlds() {
  const [oldUrl, newUrl] = [await startReceiver(), await startReceiver()]
  const emulator = await overAWire()
  const then = new TestClient(emulator, { clientId: 'C1', accessToken: 'token-of-then', ...secret })
  await emulator.addClient({
    ...then,
    clientId: 'C1',
    accessToken: 'token-of-then',
    webhookUrl: oldUrl.url,
    ...secret,
  })
  // Its lookups are counted, so that each of them reads it twice.
  await emulator.send('/_emulator/scenarios/counted', {
    method: 'PUT',
    headers: { 'content-type': 'application/yaml' },
    body: `id: counted
description: A test
timeline:
  - { at: 5s, order: COMPLETED }
  - { lookup: 900, refund: "1.00" }
answers:
  - { on: [orders, create-order], effect: { status: 503 }, skip: 9000, times: 1 }
`,
  })
  await then.createCheckout('same', { headers: { 'emulator-scenario': 'counted' } })
  await then.settle()
  expect(await then.order('same')).toMatchObject({ scenario: { id: 'counted' } })
  const createdAt = await then.now()
  const snapshot = await snapshotOf(emulator)
  const now = new TestClient(emulator, { clientId: 'C1', accessToken: 'token-of-now', ...secret })
  const changes = { accessToken: 'token-of-now', webhookUrl: newUrl.url }
  await emulator.control('/clients/C1', 'PATCH', changes)
  await now.advance('3d')
  return { emulator, snapshot, then, now, createdAt, oldUrl, newUrl }
}

test.each(['', '?clientId=C1'])(
  'while a snapshot%s is restored, no call is of both worlds, and nothing of one gets into the other',
  async (query) => {
    const { emulator, snapshot, then, now, createdAt, oldUrl, newUrl } = await twoWorlds()
    const sentBefore = oldUrl.requests.length
    const creates = [now, then].map((client, n) =>
      again((i) => client.createCheckout(`${['now', 'then'][n]}-${i}`)),
    )
    const lookups = [now, then].map((client) => again(() => client.fiatOrders('same')))
    for (const { results } of [...creates, ...lookups])
      await expect.poll(() => results.length).toBeGreaterThan(5)
    await restore(emulator, snapshot, query)
    for (const { results } of [...creates, ...lookups]) {
      const { length } = results
      await expect.poll(() => results.length).toBeGreaterThan(length + 5)
    }
    const [answeredNow = []] = await Promise.all(creates.map(({ end }) => end()))
    const [seenNow = [], seenThen = []] = await Promise.all(lookups.map(({ end }) => end()))
    await then.settle()

    expect(answeredNow.some(({ status }) => status === 200)).toBe(true)
    const refusedFrom = answeredNow.findIndex(({ status }) => status !== 200)
    expect(answeredNow.slice(refusedFrom + 3).filter(({ status }) => status === 200)).toEqual([])
    for (const { status, text } of [...answeredNow, ...seenNow, ...seenThen])
      expect([200, 401], text).toContain(status)
    const statusesOf = (seen: readonly { text: string }[]) =>
      new Set(seen.map(({ text }) => /"orderStatus":"(\w+)"/.exec(text)?.[1]))
    expect(statusesOf(seenNow), 'by the token of now').toEqual(new Set(['COMPLETED', undefined]))
    expect(statusesOf(seenThen), 'by the token of then').toEqual(new Set(['CREATED', undefined]))

    const { items } = await emulator.control('/orders?clientId=C1&limit=1000')
    expect(items.length).toBeGreaterThan(1)
    for (const order of items) {
      expect(order).toMatchObject({ createdAt })
      expect(order.requestId).toMatch(/^(then-|same$)/)
    }
    const told = (receiver: typeof oldUrl, from = 0) =>
      new Set(receiver.requests.slice(from).map(({ json }) => String(json.requestId).replace(/-.*/, '')))
    expect(told(oldUrl, sentBefore)).toEqual(new Set(['then']))
    expect([...told(newUrl)].filter((whose) => whose === 'then')).toEqual([])
    const log = (await emulator.control('/requests?clientId=C1&limit=1000')).items
    expect(
      log.filter(({ requestId, status }) => String(requestId).startsWith('now-') && status === 200),
    ).toEqual([])
  },
)

test.each([
  ['all', '', { keep: ['clients'] }],
  ['one', '?clientId=C1', {}],
])(
  'while the world of %s is reset, what was answered before is gone, and what is answered after is there',
  async (_, query, body) => {
    const receiver = await startReceiver()
    const emulator = await overAWire()
    const client = await emulator.addClient({ clientId: 'C1', webhookUrl: receiver.url })
    await client.createCheckout('before')
    const token = await client.issueToken()
    const creates = again(async (n) => {
      const askedAt = performance.now()
      const answer = await client.createCheckout(`r${n}`)
      return { requestId: `r${n}`, askedAt, answeredAt: performance.now(), status: answer.status }
    })
    await expect.poll(() => creates.results.length).toBeGreaterThan(5)
    const askedAt = performance.now()
    await emulator.control(`/reset${query}`, 'POST', body)
    const resetAt = performance.now()
    await expect.poll(() => creates.results.filter((one) => one.askedAt > resetAt).length).toBeGreaterThan(5)
    const all = await creates.end()
    await client.settle()

    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    const orders = (await emulator.control('/orders?clientId=C1&limit=1000')).items
    const there = new Set(orders.map(({ requestId }) => requestId))
    const names = (some: typeof all) => some.map(({ requestId }) => requestId)
    expect(names(all.filter((one) => one.answeredAt < askedAt && there.has(one.requestId)))).toEqual([])
    expect(names(all.filter((one) => one.askedAt > resetAt && !there.has(one.requestId)))).toEqual([])
    for (const order of orders) expect(order.deliveries).toHaveLength(1)
    const deliveries = (await emulator.control('/deliveries?clientId=C1&limit=1000')).items
    expect(deliveries).toHaveLength(orders.length)
    expect(
      (await client.createCheckout('by the old token', { headers: { 'access-token': token } })).status,
    ).toBe(401)
    const log = (await emulator.control('/requests?clientId=C1&limit=1000')).items
    expect(log.filter(({ requestId }) => requestId === 'before')).toEqual([])
  },
)
