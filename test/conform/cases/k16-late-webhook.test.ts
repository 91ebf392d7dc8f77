import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Generous } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

async function lookAtAll(shop: ModelShop) {
  for (const [requestId, { state }] of shop.purchases) if (state === 'waiting') await shop.settle(requestId)
}

test('passes an application whose polling and webhooks know of each other', async () => {
  const shop = await world.open(ModelShop)
  const report = await world.run(shop, ['K16'], { reconcile: () => lookAtAll(shop) })
  expect(resultOf(report, 'K16').verdict).toBe('PASS')
})

test('fails one that releases again when the webhook comes', async () => {
  const shop = await world.open(ModelShop)
  const reconcile = async () => {
    await lookAtAll(shop)
    for (const { shipped } of shop.purchases.values()) shipped.clear()
  }
  const report = await world.run(shop, ['K01', 'K08', 'K16'], { reconcile })
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
  expect(resultOf(report, 'K16')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('says nothing new of one that releases for each webhook', async () => {
  const report = await world.run(await world.open(Generous), ['K08', 'K16'])
  expect(resultOf(report, 'K08').verdict).toBe('FAIL')
  expect(resultOf(report, 'K16')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringMatching(/K08/) })
})

test('has the browser come back where there is no other way to make it look', async () => {
  const report = await world.run(await world.open(ModelShop), ['K16'])
  expect(resultOf(report, 'K16').verdict).toBe('PASS')
})

test('is not seen where the application never looks by itself', async () => {
  const shop = await world.open(ModelShop)
  const report = await world.run(shop, ['K16'], { browser: () => new Response('Thank you') })
  expect(resultOf(report, 'K16')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringMatching(/K28/) })
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    return seen && { status: seen.status }
  }
  const report = await world.run(shop, ['K16'], { probe })
  expect(resultOf(report, 'K16').verdict).toBe('NOT-SEEN')
})
