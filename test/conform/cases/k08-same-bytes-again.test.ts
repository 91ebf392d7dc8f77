import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, paidForSetup, resultOf, shops } from '../support/model-shop.ts'
import { Generous } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows what it has released', async () => {
  const report = await world.run(await world.open(ModelShop), ['K08'])
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
})

test('fails one that releases for each webhook', async () => {
  const report = await world.run(await world.open(Generous), ['K01', 'K08'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K08')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test.each([
  [1, 'FAIL'],
  [3, 'NOT-SEEN'],
])('tries another order where %i took two lookups for two payments: %s', async (confused, verdict) => {
  class Confused extends Generous {
    paid = 0

    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      if (orderStatus === 'COMPLETED' && this.purchases.get(requestId)?.parcels === 0) {
        this.paid += 1
        if (this.paid > paidForSetup && this.paid <= paidForSetup + confused) await this.settle(requestId)
      }
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Confused), ['K08'])
  expect(resultOf(report, 'K08').verdict).toBe(verdict)
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    return seen && { status: seen.status }
  }
  const report = await world.run(shop, ['K08'], { probe })
  expect(resultOf(report, 'K08').verdict).toBe('NOT-SEEN')
})

test('passes one that only a late webhook of CREATED confuses', async () => {
  class Forgetful extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const purchase = this.purchases.get(requestId)
      if (orderStatus === 'CREATED' && purchase) purchase.state = 'waiting'
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Forgetful), ['K08'])
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
})
