import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { OncePerName } from '../support/subscription-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that releases once for each charge', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K37'])
  expect(resultOf(report, 'K37')).toMatchObject({ verdict: 'PASS', note: null })
})

test('passes one that says all the while that the subscription is active', async () => {
  const shop = await world.open(CarefulShop)
  const probe = (requestId: string) => ({ status: 'COMPLETED', effects: shop.show(requestId)?.effects ?? 0 })
  const report = await world.run(shop, ['K37'], { probe })
  expect(resultOf(report, 'K37').verdict).toBe('PASS')
})

test('fails one that releases for the first charge alone', async () => {
  const report = await world.run(await world.open(OncePerName), ['K37'])
  expect(resultOf(report, 'K37')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('fails one that releases for the charge that failed', async () => {
  class Generous extends CarefulShop {
    override act(requestId: string, record: FiatRecord) {
      const paid = this.purchases.get(requestId)?.state === 'paid'
      super.act(
        requestId,
        paid && record.orderStatus === 'FAILED' ? { ...record, orderStatus: 'COMPLETED' } : record,
      )
    }
  }
  const report = await world.run(await world.open(Generous), ['K37'])
  expect(resultOf(report, 'K37')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('fails one that releases in the trial', async () => {
  class Hasty extends CarefulShop {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, { ...record, orderStatus: 'COMPLETED' })
    }
  }
  const report = await world.run(await world.open(Hasty), ['K37'])
  expect(resultOf(report, 'K37')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('is not seen without a call that starts a subscription', async () => {
  const report = await world.run(await world.open(ModelShop), ['K37'])
  expect(resultOf(report, 'K37')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('startSubscription'),
  })
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(CarefulShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    return seen && { status: seen.status }
  }
  const report = await world.run(shop, ['K37'], { probe })
  expect(resultOf(report, 'K37').verdict).toBe('NOT-SEEN')
})
