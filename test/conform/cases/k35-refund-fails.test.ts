import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Given } from '../../../src/conform/index.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that looks refunds up until they are decided', async () => {
  const shop = await world.open(CarefulShop)
  const report = await world.run(shop, ['K35'])
  expect(resultOf(report, 'K35')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that looks them up by itself, without a call that makes it', async () => {
  class Poller extends CarefulShop {
    override async buy(given: Given) {
      const poll = setInterval(() => this.reconcile().catch(() => clearInterval(poll)), 30)
      return super.buy(given)
    }
  }
  const report = await world.run(await world.open(Poller), ['K35'], { reconcile: undefined })
  expect(resultOf(report, 'K35')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('does not nag an application without refunds', async () => {
  const report = await world.run(await world.open(ModelShop), ['K35'])
  expect(resultOf(report, 'K35')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('fine if it offers no refunds'),
  })
})

test.concurrent('warns of one that looks a refund up once', async () => {
  class Once extends CarefulShop {
    readonly #initiated = new Set<string>()
    override async refunds(requestId: string) {
      if (this.#initiated.has(requestId)) return
      const found = await this.client.fiatRefunds(requestId)
      if (found.data.length > 0) this.#initiated.add(requestId)
      await super.refunds(requestId)
    }
  }
  const report = await world.run(await world.open(Once), ['K35'])
  expect(resultOf(report, 'K35')).toMatchObject({ verdict: 'WARN', finding: { defect: 'unnoticed' } })
})

test.concurrent('warns of one that asks for no refund any more once one has failed', async () => {
  class Dies extends CarefulShop {
    override async refunds(requestId: string) {
      if (this.refundFailures.size === 0) await super.refunds(requestId)
    }
  }
  const report = await world.run(await world.open(Dies), ['K35'])
  expect(resultOf(report, 'K35')).toMatchObject({ verdict: 'WARN', finding: { defect: 'second-order' } })
})
