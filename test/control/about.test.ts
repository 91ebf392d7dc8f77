import { expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'

test('it says what runs, and counts what there is and what has happened', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.createCheckout('r1')
  await c2.createCheckout('r2')
  await c1.settle()
  const { json } = await emulator.control('/about')
  expect(json).toMatchObject({
    ...{ seed: 'test', database: ':memory:', runtime: process.version },
    holds: { clients: 3, orders: 2, prunedRequests: 0 },
    sinceStart: { orders: 2, requests: 3, refusals: 1 },
  })
  expect(json.memoryBytes).toBeGreaterThan(1_000_000)
})

test('of one client it counts only what is the client’s', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.settle()
  const { json } = await emulator.control(`/about?clientId=${c2.clientId}`)
  expect(json).toMatchObject({
    holds: { clients: 1, orders: 0, keptRequests: null, prunedRequests: null },
    sinceStart: { orders: 0, requests: 0, skipped: 0 },
  })
  const own = await emulator.control(`/about?clientId=${c1.clientId}`)
  expect(own.json).toMatchObject({ holds: { orders: 1 }, sinceStart: { requests: 1, skipped: 1 } })
})
