import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Generous } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Takes back what was refunded in full. */
class Revoking extends CarefulShop {
  readonly revoked = new Set<string>()

  override refunded(requestId: string, amount: number) {
    const purchase = this.purchases.get(requestId)
    if (purchase === undefined || amount < 10) return
    this.revoked.add(requestId)
    purchase.parcels = 0
  }

  override show(requestId: string) {
    const shown = super.show(requestId)
    return shown !== null && this.revoked.has(requestId) ? { ...shown, status: 'REFUNDED' } : shown
  }
}

test.concurrent.each([
  ['takes back what was refunded', Revoking],
  ['never looks refunds up', ModelShop],
] as const)('passes an application that %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K43'])
  expect(resultOf(report, 'K43')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('fails one that forgets with the refund that it has released', async () => {
  class StartsAgain extends Revoking {
    override refunded(requestId: string, amount: number) {
      super.refunded(requestId, amount)
      this.purchases.get(requestId)?.shipped.clear()
    }
  }
  const report = await world.run(await world.open(StartsAgain), ['K01', 'K08', 'K43'])
  expect(resultOf(report, 'K43')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'doubled', did: expect.stringContaining('with 1 fulfilment') },
  })
})

test.concurrent('fails one that clears the order away when the first late webhook has been dealt with', async () => {
  class ClearsAway extends Revoking {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, record)
      if (this.revoked.has(requestId)) this.purchases.get(requestId)?.shipped.clear()
    }
  }
  const report = await world.run(await world.open(ClearsAway), ['K43'])
  expect(resultOf(report, 'K43')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test.concurrent('fails one that shows a refunded order as paid again', async () => {
  class PaidAgain extends Revoking {
    override act(requestId: string, record: FiatRecord) {
      if (record.orderStatus === 'COMPLETED') this.revoked.delete(requestId)
      super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(PaidAgain), ['K43'])
  expect(resultOf(report, 'K43')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test.concurrent('says nothing new of one that releases for each webhook', async () => {
  const report = await world.run(await world.open(Generous), ['K08', 'K43'])
  expect(resultOf(report, 'K43')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'the same problem as in K08: fix that first',
  })
})

test.concurrent('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => ({ status: shop.show(requestId)?.status ?? 'CREATED' })
  const report = await world.run(shop, ['K43'], { probe })
  expect(resultOf(report, 'K43')).toMatchObject({ verdict: 'NOT-SEEN', needs: ['probe.effects'] })
})
