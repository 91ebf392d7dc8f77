import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Says so to its customer. */
class Honest extends ModelShop {
  override async create(requestId: string, text: string) {
    const reply = await super.create(requestId, text)
    if (reply.status !== 200) throw new Error(`The service answered ${reply.status}`)
    return reply
  }
}

test('passes an application that fails cleanly', async () => {
  const report = await world.run(await world.open(Honest), ['K19'])
  expect(resultOf(report, 'K19').verdict).toBe('PASS')
})

/** Tries so many times at once. */
class Trying extends Honest {
  attempts = 3

  override async create(requestId: string, text: string) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await super.create(requestId, text)
      } catch (error) {
        if (attempt >= this.attempts) throw error
      }
    }
  }
}

test('passes one that tries a few times', async () => {
  const report = await world.run(await world.open(Trying), ['K19'])
  expect(resultOf(report, 'K19').verdict).toBe('PASS')
})

test('fails one that tries without end', async () => {
  class Stubborn extends Trying {
    override attempts = 200
  }
  const report = await world.run(await world.open(Stubborn), ['K19'])
  expect(resultOf(report, 'K19')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'endless' } })
})

test('fails one that tells its customer that all is well', async () => {
  const report = await world.run(await world.open(ModelShop), ['K01', 'K19'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  const { verdict, finding } = resultOf(report, 'K19')
  expect({ verdict, defect: finding?.defect }).toEqual({ verdict: 'FAIL', defect: 'lost' })
  expect(finding?.should).toMatch(/set `reconcile` .* or a longer `polling`/)
  expect(finding?.timeline.at(-1)).toMatchObject({
    who: 'conform',
    what: expect.stringContaining('until now'),
  })
})

test('passes one that says so in the state of the order', async () => {
  class Declining extends ModelShop {
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text)
      const purchase = this.purchases.get(requestId)
      if (reply.status !== 200 && purchase) purchase.state = 'declined'
      return reply
    }
  }
  const report = await world.run(await world.open(Declining), ['K19'])
  expect(resultOf(report, 'K19').verdict).toBe('PASS')
})

test('passes one that creates the order later', async () => {
  class Later extends ModelShop {
    readonly open = new Map<string, string>()
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text)
      if (reply.status === 200) this.open.delete(requestId)
      else this.open.set(requestId, text)
      return reply
    }
  }
  const shop = await world.open(Later)
  const reconcile = async () => {
    if (shop instanceof Later) for (const [requestId, text] of shop.open) await shop.create(requestId, text)
  }
  const report = await world.run(shop, ['K19'], { reconcile })
  expect(resultOf(report, 'K19').verdict).toBe('PASS')
})

test('fails one that releases without an order', async () => {
  class Blind extends Honest {
    override async create(requestId: string, text: string) {
      this.act(requestId, { orderId: requestId, orderStatus: 'COMPLETED' })
      return super.create(requestId, text)
    }
  }
  const report = await world.run(await world.open(Blind), ['K19'])
  expect(resultOf(report, 'K19')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('is not seen where the application creates no orders', async () => {
  const report = await world.run(await world.open(ModelShop), ['K19'], { start: undefined })
  expect(resultOf(report, 'K19').verdict).toBe('NOT-SEEN')
})

test('is not seen where the application makes no orders any more', async () => {
  class SoldOut extends Honest {
    left = 2
    override async create(requestId: string, text: string) {
      this.left -= 1
      if (this.left < 0) throw new Error('sold out')
      return super.create(requestId, text)
    }
  }
  const report = await world.run(await world.open(SoldOut), ['K19'])
  expect(resultOf(report, 'K19').verdict).toBe('NOT-SEEN')
})
