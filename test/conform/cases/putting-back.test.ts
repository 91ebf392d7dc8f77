import { afterAll, beforeAll, expect, test } from 'vitest'
import { Conformance, type Given } from '../../../src/conform/index.ts'
import type { TestClient } from '../../../src/index.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** The state of a client that a run may change. */
async function stateOf(client: TestClient) {
  const { webhookUrl, settings, clock } = await client.read()
  const faults = await client.faults.list()
  return { webhookUrl, settings, mode: clock.mode, faults, planned: await client.scenarios.planned() }
}

test('everything is put back after a run', async () => {
  const shop = await world.open(CarefulShop)
  await shop.client.change({ settings: { 'webhook.retry.max': 3 } })
  const before = await stateOf(shop.client)
  await world.run(shop, ['K30', 'K32', 'K39'], { webhookSignature: 'standard' })
  expect(await stateOf(shop.client)).toEqual(before)
})

test('everything is put back though something else breaks, and the error is thrown', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const run = new Conformance(world.emulator, shop.config, {
    only: ['K01', 'K08'],
    onResult: () => {
      throw new TypeError('a bug')
    },
  })
  await expect(run.run()).rejects.toThrow('a bug')
  expect(await stateOf(shop.client)).toEqual(before)
})

test('everything is put back when somebody ends the run, and its reason is thrown', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const ended = new AbortController()
  const run = new Conformance(world.emulator, shop.config, {
    only: ['K32', 'K08'],
    signal: ended.signal,
    onCase: () => ended.abort(new Error('enough')),
  })
  await expect(run.run()).rejects.toThrow('enough')
  expect(await stateOf(shop.client)).toEqual(before)
})

test('a run that is ended while a call of the application hangs ends at once', async () => {
  const shop = await world.open(ModelShop)
  const before = await stateOf(shop.client)
  const ended = new AbortController()
  let hangs = false
  const start = (given: Given) => {
    if (!hangs) return shop.buy(given)
    setImmediate(() => ended.abort(new Error('enough')))
    return new Promise<never>(() => {})
  }
  const run = new Conformance(
    world.emulator,
    { ...shop.config, start },
    {
      only: ['K01'],
      signal: ended.signal,
      onCase: () => {
        hangs = true
      },
    },
  )
  await expect(run.run()).rejects.toThrow('enough')
  expect(await stateOf(shop.client)).toEqual(before)
})
