import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that asks the lookup what is true', async () => {
  const report = await world.run(await world.open(ModelShop), ['K50'])
  expect(resultOf(report, 'K50')).toMatchObject({ verdict: 'PASS', note: null })
})

/** Takes paid orders back if a webhook says that they have failed. */
class BelievesFailures extends CarefulShop {
  readonly failed = new Set<string>()

  override async webhook(request: Request) {
    const { requestId, orderStatus } = JSON.parse(await request.clone().text())
    if (orderStatus === 'FAILED' && this.purchases.get(requestId)?.state === 'paid') {
      this.failed.add(requestId)
      this.takeBack(requestId)
      return new Response()
    }
    return super.webhook(request)
  }

  takeBack(requestId: string) {
    const purchase = this.purchases.get(requestId)
    if (purchase !== undefined) Object.assign(purchase, { state: 'declined', parcels: 0 })
  }
}

test.concurrent('fails one that believes the event', async () => {
  const report = await world.run(await world.open(BelievesFailures), ['K50'])
  expect(resultOf(report, 'K50').finding).toMatchObject({
    defect: 'lost',
    did: expect.stringMatching(/^A late event said FAILED .* An hour later: It said "FAILED" with 0 fulfil/),
  })
})

test.concurrent('fails one that keeps the parcel, but shows the order as failed', async () => {
  class ShownAsFailed extends BelievesFailures {
    override takeBack(requestId: string) {
      const purchase = this.purchases.get(requestId)
      if (purchase !== undefined) purchase.state = 'declined'
    }
  }
  const report = await world.run(await world.open(ShownAsFailed), ['K50'])
  expect(resultOf(report, 'K50')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test.concurrent('fails one whose nightly job takes the order back', async () => {
  class AtNight extends BelievesFailures {
    override takeBack() {}
    override async reconcile() {
      await super.reconcile()
      for (const requestId of this.failed) super.takeBack(requestId)
    }
  }
  const report = await world.run(await world.open(AtNight), ['K01', 'K20', 'K50'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K50')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K50'])
  expect(resultOf(report, 'K50').verdict).toBe('NOT-SEEN')
})
