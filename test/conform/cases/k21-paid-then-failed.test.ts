import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that goes by orderStatus', async () => {
  const report = await world.run(await world.open(ModelShop), ['K21'])
  expect(resultOf(report, 'K21').verdict).toBe('PASS')
})

/** Releases as soon as the payment is there. */
class Eager extends ModelShop {
  override async settle(requestId: string) {
    for (const { orderId, paymentStatus, orderStatus } of await this.client.cryptoOrders(requestId))
      this.act(requestId, {
        orderId,
        orderStatus: paymentStatus === 'COMPLETED' ? paymentStatus : orderStatus,
      })
    return true
  }
}

test('fails one that goes by paymentStatus', async () => {
  const report = await world.run(await world.open(Eager), ['K01', 'K21'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K21')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('passes one that takes back what it has released', async () => {
  class Repentant extends Eager {
    override async settle(requestId: string) {
      await super.settle(requestId)
      const records = await this.lookUp(requestId)
      const purchase = this.purchases.get(requestId)
      if (purchase && records?.some(({ orderStatus }) => orderStatus === 'FAILED'))
        Object.assign(purchase, { state: 'declined', parcels: 0 })
      return true
    }
  }
  const report = await world.run(await world.open(Repentant), ['K21'])
  expect(resultOf(report, 'K21').verdict).toBe('PASS')
})

test('says nothing new of one that does not know that orders fail', async () => {
  class Hopeful extends ModelShop {
    override act(requestId: string, record: { orderId: string; orderStatus: string }) {
      if (record.orderStatus !== 'FAILED') super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(Hopeful), ['K02', 'K21'])
  expect(resultOf(report, 'K02').verdict).toBe('FAIL')
  expect(resultOf(report, 'K21').verdict).toBe('NOT-SEEN')
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K21'], { probe: undefined })
  expect(resultOf(report, 'K21').verdict).toBe('NOT-SEEN')
})
