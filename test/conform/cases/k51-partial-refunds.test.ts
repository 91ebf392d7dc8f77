import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent.each([
  ['notices refunds', CarefulShop],
  ['offers none', ModelShop],
])('passes an application that %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K51'])
  expect(resultOf(report, 'K51')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that shows the order as refunded in part', async () => {
  class Telling extends CarefulShop {
    readonly #refunded = new Set<string>()
    override refunded(requestId: string) {
      this.#refunded.add(requestId)
    }
    override show(requestId: string) {
      const shown = super.show(requestId)
      return shown && (this.#refunded.has(requestId) ? { ...shown, status: 'REFUNDED_IN_PART' } : shown)
    }
  }
  const report = await world.run(await world.open(Telling), ['K51'])
  expect(resultOf(report, 'K51')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one for which every refund is a cancellation', async () => {
  class Cancelling extends CarefulShop {
    override refunded(requestId: string) {
      const purchase = this.purchases.get(requestId)
      if (purchase !== undefined) Object.assign(purchase, { state: 'declined', parcels: 0 })
    }
  }
  const report = await world.run(await world.open(Cancelling), ['K51'])
  expect(resultOf(report, 'K51')).toMatchObject({ verdict: 'WARN', finding: { defect: 'wrong-status' } })
})

test.concurrent('warns of one that releases again once it knows of a refund', async () => {
  class StartsAgain extends CarefulShop {
    override refunded(requestId: string) {
      this.purchases.get(requestId)?.shipped.clear()
    }
  }
  const report = await world.run(await world.open(StartsAgain), ['K51'])
  expect(resultOf(report, 'K51')).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

test.concurrent('warns of one that ends a subscription when a part of a charge is refunded', async () => {
  class EndsThem extends CarefulShop {
    readonly #ended = new Set<string>()
    override refunded(requestId: string) {
      this.#ended.add(requestId)
    }
    override act(requestId: string, record: FiatRecord) {
      if (!this.#ended.has(requestId)) super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(EndsThem), ['K37', 'K51'])
  expect(resultOf(report, 'K37').verdict).toBe('PASS')
  expect(resultOf(report, 'K51')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'lost',
      did: expect.stringMatching(/^Of a subscription's charge, 30 % were refunded/),
    },
  })
})

test.concurrent.each(['job', 'page'])('warns of one whose %s breaks at a failed refund', async (broken) => {
  const shop = await world.open(CarefulShop)
  const breaks = () => {
    if (shop.refundFailures.size > 0) throw new Error('parseInt of 9006.1')
  }
  const reconcile = async () => {
    await shop.reconcile()
    breaks()
  }
  const probe = (requestId: string) => {
    breaks()
    return shop.show(requestId)
  }
  const report = await world.run(shop, ['K51'], broken === 'job' ? { reconcile } : { probe })
  expect(resultOf(report, 'K51')).toMatchObject({
    verdict: 'WARN',
    finding: { did: expect.stringMatching(/parseInt of 9006\.1/) },
  })
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K51'])
  expect(resultOf(report, 'K51').verdict).toBe('NOT-SEEN')
})
