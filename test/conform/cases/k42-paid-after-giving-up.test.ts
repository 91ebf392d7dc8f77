import { afterAll, beforeAll, expect, test } from 'vitest'
import { CancellingShop } from '../support/cancelling-shop.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

type ShopClass = new (...about: ConstructorParameters<typeof ModelShop>) => CancellingShop

/** The result for a shop whose customers cancel orders. */
async function cancelling(shop: ShopClass) {
  const opened = await world.open(shop)
  const cancel = (requestId: string) => opened.cancel(requestId)
  const reconcile = () => opened.reconcile()
  return resultOf(await world.run(opened, ['K42'], { cancel, reconcile }), 'K42')
}

/** The result for a shop that gives orders up after a day of the client's clock. */
async function expiring(shop: ShopClass) {
  const opened = await world.open(shop)
  const time = (nowMs: number) => opened.time(nowMs)
  return resultOf(await world.run(opened, ['K42'], { time }), 'K42')
}

/** Has forgotten what it has given up. */
class Silent extends CancellingShop {
  override act(requestId: string, record: FiatRecord) {
    if (!this.cancelled.has(requestId)) super.act(requestId, record)
  }
}

test.concurrent('passes an application that releases what is paid after all', async () => {
  expect(await cancelling(CancellingShop)).toMatchObject({ verdict: 'PASS', note: null })
  expect(await expiring(CancellingShop)).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that shows the payment, and releases nothing', async () => {
  class ForRefund extends Silent {
    readonly #paid = new Set<string>()
    override show(requestId: string) {
      const shown = super.show(requestId)
      return shown !== null && this.#paid.has(requestId) ? { ...shown, status: 'REFUND_DUE' } : shown
    }
    override act(requestId: string, record: FiatRecord) {
      if (this.cancelled.has(requestId) && record.orderStatus === 'COMPLETED') this.#paid.add(requestId)
      super.act(requestId, record)
    }
  }
  expect(await cancelling(ForRefund)).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one that stays silent, however the order was given up', async () => {
  for (const result of [await cancelling(Silent), await expiring(Silent)])
    expect(result).toMatchObject({
      verdict: 'WARN',
      finding: { defect: 'lost', did: expect.stringContaining('nobody learns that it is paid') },
    })
})

test.concurrent('warns of one that looks cancelled orders up no more', async () => {
  class LooksNoMore extends CancellingShop {
    override async reconcile() {
      for (const requestId of this.purchases.keys())
        if (!this.cancelled.has(requestId)) await this.settle(requestId)
    }
  }
  expect(await cancelling(LooksNoMore)).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'lost', did: expect.stringContaining('COMPLETED, and no webhook came') },
  })
})

test.concurrent('warns of one that releases twice', async () => {
  class Eager extends CancellingShop {
    override act(requestId: string, record: FiatRecord) {
      const late = this.cancelled.has(requestId) && record.orderStatus === 'COMPLETED'
      super.act(requestId, record)
      const purchase = this.purchases.get(requestId)
      if (late && purchase !== undefined) purchase.parcels += 1
    }
  }
  expect(await cancelling(Eager)).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

test.concurrent('is not seen without a call that cancels, or a clock that can be set', async () => {
  const report = await world.run(await world.open(ModelShop), ['K42'])
  expect(resultOf(report, 'K42')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('set `cancel`, like'),
    needs: ['cancel'],
  })
})

test.concurrent('is not seen where orders are given up neither when cancelled nor in time', async () => {
  class Patient extends CancellingShop {
    override cancel() {}
  }
  expect(await cancelling(Patient)).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'after `cancel` it said "CREATED" with 0 fulfilments, as before',
  })
  expect(await expiring(Patient)).toMatchObject({ verdict: 'NOT-SEEN', needs: ['cancel'] })
})
