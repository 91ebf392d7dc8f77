import { afterAll, beforeAll, expect, test } from 'vitest'
import { CountingShop, RememberingShop } from '../support/counting-shop.ts'
import { ModelShop, paidForSetup, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows what it has released', async () => {
  const report = await world.run(await world.open(ModelShop), ['K11'])
  expect(resultOf(report, 'K11').verdict).toBe('PASS')
})

test('fails one that remembers ids only', async () => {
  const report = await world.run(await world.open(RememberingShop), [
    'K08',
    'K09',
    'K10',
    'K11',
    'K12',
    'K13',
  ])
  expect(report.counts.FAIL).toBe(1)
  expect(resultOf(report, 'K11')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

/** Remembers ids only, and leaves alone what its polling was the first to find: that of the case's first orders. */
class PollingShop extends RememberingShop {
  readonly #found = new Set<string>()
  quickerFor = 0
  paid = 0

  override async webhook(request: Request): Promise<Response> {
    const { requestId, orderStatus } = JSON.parse(await request.clone().text())
    if (orderStatus !== 'COMPLETED' || this.#found.has(requestId)) return new Response()
    const before = this.purchases.get(requestId)?.parcels
    if (before === 0) this.paid += 1
    if (before === 0 && this.paid > paidForSetup && this.paid <= paidForSetup + this.quickerFor) {
      this.#found.add(requestId)
      await this.settle(requestId)
      await this.lookUp(requestId)
      return new Response()
    }
    return super.webhook(request)
  }
}

test.each([
  { quickerFor: 0, orders: 1, verdict: 'FAIL' },
  { quickerFor: 1, orders: 2, verdict: 'FAIL' },
  { quickerFor: 2, orders: 3, verdict: 'FAIL' },
  { quickerFor: 3, orders: 3, verdict: 'PASS' },
])('tries $orders orders where polling was quicker for $quickerFor', async (each) => {
  const shop = await world.open(PollingShop)
  shop.quickerFor = each.quickerFor
  const report = await world.run(shop, ['K11'])
  expect(resultOf(report, 'K11').verdict).toBe(each.verdict)
  expect(shop.paid).toBe(paidForSetup + each.orders)
})

test('judges for itself when it runs alone', async () => {
  const report = await world.run(await world.open(CountingShop), ['K11'])
  expect(resultOf(report, 'K11').verdict).toBe('FAIL')
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => ({ status: shop.show(requestId)?.status ?? '' })
  const report = await world.run(shop, ['K11'], { probe })
  expect(resultOf(report, 'K11').verdict).toBe('NOT-SEEN')
})
