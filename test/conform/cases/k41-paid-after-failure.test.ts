import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that follows the order after a failure', async () => {
  const report = await world.run(await world.open(ModelShop), ['K41'])
  expect(resultOf(report, 'K41')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one for which a failure is the end', async () => {
  class Final extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      if (this.purchases.get(requestId)?.state !== 'declined') super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(Final), ['K01', 'K02', 'K41'])
  expect(report.counts).toMatchObject({ PASS: 2, WARN: 1 })
  expect(resultOf(report, 'K41')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test.concurrent('warns of one that sells again what it has taken back into stock', async () => {
  class Restocking extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      const purchase = this.purchases.get(requestId)
      const wasDeclined = purchase?.state === 'declined'
      super.act(requestId, record)
      if (purchase !== undefined && wasDeclined && record.orderStatus === 'COMPLETED') purchase.parcels += 1
    }
  }
  const report = await world.run(await world.open(Restocking), ['K41'])
  expect(resultOf(report, 'K41')).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

/** Releases as soon as an order is decided. */
class Decided extends ModelShop {
  override act(requestId: string, record: FiatRecord) {
    const orderStatus = record.orderStatus === 'FAILED' ? 'COMPLETED' : record.orderStatus
    super.act(requestId, { ...record, orderStatus })
  }
}

test.concurrent('warns of one that releases a failed order', async () => {
  const report = await world.run(await world.open(Decided), ['K41'])
  expect(resultOf(report, 'K41')).toMatchObject({ verdict: 'WARN', finding: { defect: 'premature' } })
})

test.concurrent.each([
  ['releases a failed order', Decided, 'K02'],
  ['never releases anything', Idle, 'K01'],
] as const)('says nothing new of one that %s', async (_, shop, simpler) => {
  const report = await world.run(await world.open(shop), [simpler, 'K41'])
  expect(resultOf(report, 'K41')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining(simpler),
  })
})
