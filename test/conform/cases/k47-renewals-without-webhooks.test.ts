import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { EachLook, OncePerName } from '../support/subscription-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that looks running subscriptions up when it is told to', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K28', 'K47'])
  expect(resultOf(report, 'K47')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that polls', async () => {
  const shop = await world.open(CarefulShop)
  const timer = setInterval(() => void shop.reconcile().catch(() => clearInterval(timer)), 40)
  const report = await world.run(shop, ['K47'], { reconcile: undefined })
  clearInterval(timer)
  expect(resultOf(report, 'K47').verdict).toBe('PASS')
})

test.concurrent('fails one that looks up only what was never paid', async () => {
  class OpenOrders extends CarefulShop {
    override async reconcile() {
      for (const [requestId, { state }] of this.purchases)
        if (state === 'waiting') await this.settle(requestId)
    }
  }
  const report = await world.run(await world.open(OpenOrders), ['K28', 'K37', 'K47'])
  expect(report.counts).toMatchObject({ PASS: 2, FAIL: 1 })
  expect(resultOf(report, 'K47')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'lost', did: expect.stringContaining('and with `reconcile` called') },
  })
})

test.concurrent.each([
  ['releases for each look', EachLook, 'doubled'],
  ['releases for the first charge alone', OncePerName, 'lost'],
] as const)('fails one that %s, and says nothing new of it beside K37', async (_, shop, defect) => {
  const alone = await world.run(await world.open(shop), ['K47'])
  expect(resultOf(alone, 'K47')).toMatchObject({ verdict: 'FAIL', finding: { defect } })
  const both = await world.run(await world.open(shop), ['K37', 'K47'])
  expect(resultOf(both, 'K47')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'the same problem as in K37: fix that first',
  })
})

test.concurrent('says nothing new of one that waits for webhooks', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K28', 'K47'], { reconcile: undefined })
  expect(resultOf(report, 'K47')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringMatching(/see K28|same problem as in K28/),
  })
})

test.concurrent('is not seen without a call that starts a subscription', async () => {
  const report = await world.run(await world.open(ModelShop), ['K47'])
  expect(resultOf(report, 'K47')).toMatchObject({ verdict: 'NOT-SEEN', needs: ['startSubscription'] })
})
