import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Generous } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that releases for an order and not for a webhook', async () => {
  const report = await world.run(await world.open(ModelShop), ['K38'])
  expect(resultOf(report, 'K38')).toMatchObject({ verdict: 'PASS', note: null })
})

/** Takes each orderType for something of its own. */
class PerType extends ModelShop {
  override async webhook(request: Request) {
    const { requestId, orderType } = JSON.parse(await request.clone().text())
    const records = (await this.lookUp(requestId)) ?? []
    for (const record of records) this.act(requestId, { ...record, orderId: record.orderId + orderType })
    return new Response()
  }
}

test('warns of one that releases for each orderType, though it knows repeats', async () => {
  const report = await world.run(await world.open(PerType), ['K08', 'K38'])
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
  expect(resultOf(report, 'K38')).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

test('says nothing new of one that releases for each webhook', async () => {
  const report = await world.run(await world.open(Generous), ['K08', 'K38'])
  expect(resultOf(report, 'K38')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K08') })
})

test('has a word for one that refuses the other orderType', async () => {
  class Narrow extends ModelShop {
    override async webhook(request: Request) {
      const { orderType } = JSON.parse(await request.clone().text())
      return orderType === 'CHECKOUT' ? super.webhook(request) : new Response(null, { status: 500 })
    }
  }
  const report = await world.run(await world.open(Narrow), ['K38'])
  expect(resultOf(report, 'K38')).toMatchObject({
    verdict: 'PASS',
    note: expect.stringContaining('CRYPTOPAYIN'),
  })
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    return seen && { status: seen.status }
  }
  const report = await world.run(shop, ['K38'], { probe })
  expect(resultOf(report, 'K38').verdict).toBe('NOT-SEEN')
})
