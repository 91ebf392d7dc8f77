import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application whose release is one step', async () => {
  const report = await world.run(await world.open(ModelShop), ['K10'])
  expect(resultOf(report, 'K10').verdict).toBe('PASS')
})

test('fails one that looks, waits, and then releases', async () => {
  class Slow extends ModelShop {
    override async settle(requestId: string) {
      const shipped = this.purchases.get(requestId)?.shipped.size ?? 0
      const records = await this.lookUp(requestId)
      if (shipped > 0) return true
      this.purchases.get(requestId)?.shipped.clear()
      for (const record of records ?? []) this.act(requestId, record)
      return records !== null
    }
  }
  const report = await world.run(await world.open(Slow), ['K01', 'K08', 'K09', 'K10', 'K11', 'K12'])
  expect(report.counts).toMatchObject({ FAIL: 1, PASS: 5 })
  expect(resultOf(report, 'K10')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('passes one that works on one of them and sends the others away for now', async () => {
  class Locking extends ModelShop {
    readonly #locked = new Set<string>()
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      if (this.#locked.has(requestId)) return new Response('busy', { status: 409 })
      this.#locked.add(requestId)
      const answer = await super.webhook(request)
      this.#locked.delete(requestId)
      return answer
    }
  }
  const report = await world.run(await world.open(Locking), ['K10'])
  expect(resultOf(report, 'K10').verdict).toBe('PASS')
})

test('fails one in which all of them lose', async () => {
  class Shy extends ModelShop {
    readonly #count = new Map<string, number>()
    override async lookUp(requestId: string) {
      const n = (this.#count.get(requestId) ?? 0) + 1
      this.#count.set(requestId, n)
      const records = await super.lookUp(requestId)
      return this.#count.get(requestId) === n || n < 3 ? records : []
    }
    override act(requestId: string, record: { orderId: string; orderStatus: string }) {
      if ((this.#count.get(requestId) ?? 0) < 3) super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(Shy), ['K01', 'K10'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K10')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K10'], { probe: undefined })
  expect(resultOf(report, 'K10').verdict).toBe('NOT-SEEN')
})

test('passes one that takes one webhook after the other', async () => {
  class OneByOne extends ModelShop {
    #last: Promise<unknown> = Promise.resolve()
    override webhook(request: Request) {
      const answer = this.#last.then(() => super.webhook(request))
      this.#last = answer
      return answer
    }
  }
  const report = await world.run(await world.open(OneByOne), ['K10'])
  expect(resultOf(report, 'K10').verdict).toBe('PASS')
})
