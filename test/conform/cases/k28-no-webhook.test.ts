import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that polls', async () => {
  const shop = await world.open(ModelShop)
  const timer = setInterval(() => {
    for (const requestId of shop.purchases.keys()) void shop.settle(requestId)
  }, 40)
  const report = await world.run(shop, ['K28'])
  clearInterval(timer)
  expect(resultOf(report, 'K28').verdict).toBe('PASS')
})

test('passes one that looks when it is told to', async () => {
  const shop = await world.open(ModelShop)
  const reconcile = async () => {
    for (const requestId of shop.purchases.keys()) await shop.settle(requestId)
  }
  const report = await world.run(shop, ['K28'], { reconcile })
  expect(resultOf(report, 'K28').verdict).toBe('PASS')
})

test('passes one whose job fails once', async () => {
  const shop = await world.open(ModelShop)
  let runs = 0
  const reconcile = async () => {
    runs += 1
    // The first is of the check of the configuration.
    if (runs === 2) throw new Error('the service wants no calls for another second')
    for (const requestId of shop.purchases.keys()) await shop.settle(requestId)
  }
  const report = await world.run(shop, ['K28'], { reconcile })
  expect(resultOf(report, 'K28').verdict).toBe('PASS')
})

test('fails one that waits for webhooks', async () => {
  const report = await world.run(await world.open(ModelShop), ['K01', 'K28'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K28')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('says how long it has waited, and what helps one that looks less often', async () => {
  const report = await world.run(await world.open(ModelShop), ['K28'])
  expect(resultOf(report, 'K28').finding).toMatchObject({
    did: expect.stringMatching(/within 0.15 s of wall-clock time$/),
    should: expect.stringMatching(/less often than every 0.15 s, set `reconcile` .* or a longer `polling`/),
  })
})

test('shows in the time line that it has looked until the end', async () => {
  const report = await world.run(await world.open(ModelShop), ['K28'])
  const last = resultOf(report, 'K28').finding?.timeline.at(-1)
  expect(last).toMatchObject({ who: 'conform', what: expect.stringMatching(/until now: it said "CREATED"/) })
})

test('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K28'])
  expect(resultOf(report, 'K28').verdict).toBe('NOT-SEEN')
})
