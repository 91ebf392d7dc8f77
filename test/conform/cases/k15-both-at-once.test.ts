import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application whose handlers do not disturb each other', async () => {
  const report = await world.run(await world.open(ModelShop), ['K15'])
  expect(resultOf(report, 'K15').verdict).toBe('PASS')
})

test('passes one that refuses the second webhook of an order while it works on the first', async () => {
  class Locking extends ModelShop {
    readonly #busy = new Set<string>()
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      if (this.#busy.has(requestId)) return new Response(null, { status: 409 })
      this.#busy.add(requestId)
      return super.webhook(request).finally(() => this.#busy.delete(requestId))
    }
  }
  const report = await world.run(await world.open(Locking), ['K15'])
  expect(resultOf(report, 'K15').verdict).toBe('PASS')
})

test('fails one that writes back what it has read before the other handler wrote', async () => {
  class Overwriting extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const read = this.purchases.get(requestId)?.state
      const response = await super.webhook(request)
      const purchase = this.purchases.get(requestId)
      if (orderStatus === 'CREATED' && purchase && read) purchase.state = read
      return response
    }
  }
  const report = await world.run(await world.open(Overwriting), ['K01', 'K14', 'K15'])
  expect(resultOf(report, 'K14').verdict).toBe('PASS')
  expect(resultOf(report, 'K15')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K15'], { probe: undefined })
  expect(resultOf(report, 'K15').verdict).toBe('NOT-SEEN')
})

/** Makes so many orders, and no more. */
class SoldOut extends ModelShop {
  left = 3

  override async buy(given: { text: string }) {
    this.left -= 1
    if (this.left < 0) throw new Error('sold out')
    return super.buy(given)
  }
}

test('is not seen where only some of the orders were created', async () => {
  const report = await world.run(await world.open(SoldOut), ['K15'])
  expect(resultOf(report, 'K15')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('of 20 orders: it created'),
  })
})
