import { expect, test } from 'vitest'
import { eventIds, orderIds, simulationIds, txnHash } from '../../../src/domain/order/ids.ts'

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ids = (changed: { seed?: string; client?: string; request?: string; charge?: number; now?: number }) =>
  orderIds(
    changed.seed ?? 's',
    changed.client ?? 'C1',
    changed.request ?? 'r1',
    changed.charge ?? 1,
    changed.now ?? 1e12,
  )

test('orderId and token are two different UUIDs (N58)', () => {
  const { orderId, token } = ids({})
  expect(orderId).toMatch(uuidV7)
  expect(token).toMatch(uuidV4)
  expect(orderId).not.toBe(token)
})

test('the same seed, client, requestId, charge and time give the same ids', () => {
  expect(ids({})).toEqual(ids({}))
})

test.each([[{ seed: 't' }], [{ client: 'C2' }], [{ request: 'r2' }], [{ charge: 2 }], [{ now: 1e12 + 1 }]])(
  'another %o gives other ids',
  (changed) => {
    expect(ids(changed).orderId).not.toBe(ids({}).orderId)
    expect(ids(changed).token).not.toBe(ids({}).token)
  },
)

test('no group of digits of one id is in the other, whoever has one cannot open the other’s page', () => {
  for (let n = 0; n < 200; n++) {
    const { orderId, token } = ids({ request: `r${n}` })
    const groups = orderId.split('-').filter((group) => group.length > 4)
    for (const group of groups) expect(token).not.toContain(group)
    expect(token.slice(-6)).not.toBe(orderId.slice(-6))
  }
})

test('all 122 bits of a token are random: each is set in about half of many', () => {
  const tokens = Array.from({ length: 1_000 }, (_, n) =>
    BigInt(`0x${ids({ request: `r${n}` }).token.replaceAll('-', '')}`),
  )
  const counts = Array.from(
    { length: 128 },
    (_, bit) => tokens.filter((token) => (token >> BigInt(bit)) & 1n).length,
  )
  const fixed: readonly number[] = counts.filter((count) => count === 0 || count === 1_000)
  expect(fixed).toHaveLength(6)
  for (const count of counts.filter((one) => !fixed.includes(one))) {
    expect(count).toBeGreaterThan(400)
    expect(count).toBeLessThan(600)
  }
})

test('parts that run into each other are told apart', () => {
  expect(ids({ client: 'C1', request: 'x' })).not.toEqual(ids({ client: 'C', request: '1x' }))
})

test('later ids sort behind earlier ones', () => {
  expect(ids({ now: 1e12 + 1, request: 'a' }).orderId > ids({ now: 1e12, request: 'b' }).orderId).toBe(true)
})

test('events of an order have ids of their own, the same each time', () => {
  const { orderId } = ids({})
  expect(eventIds(orderId, 1)).toEqual(eventIds(orderId, 1))
  expect(eventIds(orderId, 1).webhookId).not.toBe(eventIds(orderId, 2).webhookId)
})

test('simulations under one requestId have different ids', () => {
  const first = simulationIds('s', 'C1', 'r1', 1, 1e12)
  expect(simulationIds('s', 'C1', 'r1', 2, 1e12).id).not.toBe(first.id)
})

test('the transaction hash follows from the orderId (N64h)', () => {
  expect(txnHash('a')).toMatch(/^0x[0-9a-f]{64}$/)
  expect(txnHash('a')).toBe(txnHash('a'))
  expect(txnHash('a')).not.toBe(txnHash('b'))
})
