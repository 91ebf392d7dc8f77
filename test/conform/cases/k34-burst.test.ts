import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Generous, Idle, SoldOut } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that takes them all', async () => {
  const report = await world.run(await world.open(ModelShop), ['K34'])
  expect(resultOf(report, 'K34')).toMatchObject({ verdict: 'PASS', note: null })
})

test('passes one that refuses what is too much for it, and takes it later', async () => {
  class Modest extends ModelShop {
    #busy = 0
    override async webhook(request: Request) {
      if (this.#busy >= 4) return new Response(null, { status: 503 })
      this.#busy += 1
      try {
        return await super.webhook(request)
      } finally {
        this.#busy -= 1
      }
    }
  }
  const report = await world.run(await world.open(Modest), ['K34'])
  expect(resultOf(report, 'K34').verdict).toBe('PASS')
})

test('passes one that answers at once and works one after the other', async () => {
  class Queueing extends ModelShop {
    #last: Promise<unknown> = Promise.resolve()
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.text())
      this.#last = this.#last.then(() => this.settle(requestId))
      return new Response()
    }
  }
  const report = await world.run(await world.open(Queueing), ['K34'])
  expect(resultOf(report, 'K34').verdict).toBe('PASS')
})

test('fails one that drops what is too much for it', async () => {
  class Dropping extends ModelShop {
    #busy = 0
    override async webhook(request: Request) {
      if (this.#busy >= 4) return new Response()
      this.#busy += 1
      try {
        return await super.webhook(request)
      } finally {
        this.#busy -= 1
      }
    }
  }
  const report = await world.run(await world.open(Dropping), ['K01', 'K34'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K34')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'lost', did: expect.stringContaining('of 100 paid orders'), sent: { status: 200 } },
  })
})

test('says nothing new of one that releases for each webhook', async () => {
  const report = await world.run(await world.open(Generous), ['K08', 'K34'])
  expect(resultOf(report, 'K34').verdict).toBe('NOT-SEEN')
})

test('says nothing of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K34'])
  expect(resultOf(report, 'K34')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K01') })
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    return seen && { status: seen.status }
  }
  const report = await world.run(shop, ['K34'], { probe })
  expect(resultOf(report, 'K34')).toMatchObject({ verdict: 'NOT-SEEN', needs: ['probe.effects'] })
})

test.each(['start', 'probe'])('is not seen without %s', async (member) => {
  const report = await world.run(await world.open(ModelShop), ['K34'], { [member]: undefined })
  expect(resultOf(report, 'K34')).toMatchObject({ verdict: 'NOT-SEEN', needs: [member] })
})

test('passes one that takes so many in a moment, and no more', async () => {
  class Limited extends ModelShop {
    #until = 0
    #left = 0
    override async webhook(request: Request) {
      if (Date.now() > this.#until) {
        this.#until = Date.now() + 100
        this.#left = 20
      }
      this.#left -= 1
      return this.#left < 0 ? new Response(null, { status: 429 }) : super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Limited), ['K34'])
  expect(resultOf(report, 'K34').verdict).toBe('PASS')
})

test('is not seen where the application creates some of the orders only', async () => {
  class WellStocked extends SoldOut {
    override left = 10
  }
  const report = await world.run(await world.open(WellStocked), ['K34'])
  expect(resultOf(report, 'K34')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('100 orders: it created only'),
  })
})
