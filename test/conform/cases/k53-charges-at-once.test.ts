import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { OncePerName } from '../support/subscription-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that reads all records', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K53'])
  expect(resultOf(report, 'K53')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that learns of them from its job alone', async () => {
  class Deaf extends CarefulShop {
    override async webhook() {
      return new Response()
    }
  }
  const report = await world.run(await world.open(Deaf), ['K53'])
  expect(resultOf(report, 'K53').verdict).toBe('PASS')
})

/** A shop that reads a part of the list. */
const reading = (...part: Parameters<string['slice']>) =>
  class extends CarefulShop {
    override async lookUp(requestId: string) {
      return (await super.lookUp(requestId))?.slice(...part) ?? null
    }
  }

test.concurrent('fails one that reads the last record', async () => {
  const report = await world.run(await world.open(reading(-1)), ['K37', 'K53'])
  expect(resultOf(report, 'K37').verdict).toBe('PASS')
  expect(resultOf(report, 'K53')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'lost', did: expect.stringMatching(/^3 charges .* has fulfilled 1 of them$/) },
  })
})

test.concurrent('fails one that releases for the event, and for each record besides', async () => {
  class Both extends CarefulShop {
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      const answer = await super.webhook(request)
      const purchase = this.purchases.get(requestId)
      if (purchase !== undefined && purchase.parcels > 1) purchase.parcels += 1
      return answer
    }
  }
  const report = await world.run(await world.open(Both), ['K53'])
  expect(resultOf(report, 'K53')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test.concurrent('says nothing new of one that releases for the first charge alone', async () => {
  const alone = await world.run(await world.open(OncePerName), ['K53'])
  expect(resultOf(alone, 'K53')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
  const both = await world.run(await world.open(OncePerName), ['K37', 'K53'])
  expect(resultOf(both, 'K53').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen without a call that starts a subscription', async () => {
  const report = await world.run(await world.open(ModelShop), ['K53'])
  expect(resultOf(report, 'K53')).toMatchObject({ verdict: 'NOT-SEEN', needs: ['startSubscription'] })
})
