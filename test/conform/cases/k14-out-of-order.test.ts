import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Hasty } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that asks the lookup what is true', async () => {
  const report = await world.run(await world.open(ModelShop), ['K14'])
  expect(resultOf(report, 'K14').verdict).toBe('PASS')
})

test('fails one that takes a paid order back when CREATED comes again', async () => {
  class Forgetful extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const purchase = this.purchases.get(requestId)
      if (orderStatus !== 'CREATED' || purchase === undefined) return super.webhook(request)
      purchase.state = 'waiting'
      return new Response()
    }
  }
  const report = await world.run(await world.open(Forgetful), ['K01', 'K14'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K14')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

/** Handles nothing of an order before its CREATED, which says nothing new. */
class InTurn extends ModelShop {
  readonly #begun = new Set<string>()

  override async webhook(request: Request) {
    const { requestId, orderStatus } = JSON.parse(await request.clone().text())
    if (orderStatus !== 'CREATED')
      return this.#begun.has(requestId) ? super.webhook(request) : this.tooEarly()
    this.#begun.add(requestId)
    return new Response()
  }

  tooEarly() {
    return new Response()
  }
}

test('fails one that drops COMPLETED because it has not seen CREATED yet', async () => {
  const report = await world.run(await world.open(InTurn), ['K01', 'K14'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K14')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('passes one that refuses COMPLETED until CREATED has come', async () => {
  class Patient extends InTurn {
    override tooEarly() {
      return new Response(null, { status: 409 })
    }
  }
  const report = await world.run(await world.open(Patient), ['K14'])
  expect(resultOf(report, 'K14').verdict).toBe('PASS')
})

test('says nothing of one that releases while the order is CREATED', async () => {
  const report = await world.run(await world.open(Hasty), ['K14'])
  expect(resultOf(report, 'K14').verdict).toBe('NOT-SEEN')
})

test('is not seen with the webhook URL alone', async () => {
  const shop = await world.open(ModelShop)
  const report = await world.run(shop, ['K14'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K14')).toMatchObject({ verdict: 'NOT-SEEN', finding: null })
})
