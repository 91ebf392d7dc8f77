import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that refuses the webhook', async () => {
  const report = await world.run(await world.open(ModelShop), ['K29'])
  expect(resultOf(report, 'K29').verdict).toBe('PASS')
})

class Polite extends ModelShop {
  override async webhook(request: Request) {
    const response = await super.webhook(request)
    return response.status === 503 ? new Response() : response
  }
}

test('fails one that accepts it and forgets it', async () => {
  const report = await world.run(await world.open(Polite), ['K01', 'K29'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K29')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'lost', did: expect.stringMatching(/200 although its lookup had failed/) },
  })
})

test('passes one that accepts it and looks again by itself', async () => {
  const shop = await world.open(Polite)
  const reconcile = async () => {
    for (const requestId of shop.purchases.keys()) await shop.settle(requestId)
  }
  const report = await world.run(shop, ['K29'], { reconcile })
  expect(resultOf(report, 'K29').verdict).toBe('PASS')
})

test('fails one that takes the repetition for a webhook that it has handled', async () => {
  class Marking extends ModelShop {
    readonly #handled = new Set<string | null>()
    override async webhook(request: Request) {
      const id = request.headers.get('webhook-id')
      if (this.#handled.has(id)) return new Response()
      this.#handled.add(id)
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Marking), ['K01', 'K29'])
  expect(resultOf(report, 'K29')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('is not seen where the handler looks nothing up', async () => {
  const report = await world.run(await world.open(Trusting), ['K29'])
  expect(resultOf(report, 'K29').verdict).toBe('NOT-SEEN')
})
