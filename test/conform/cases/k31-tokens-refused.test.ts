import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that tries a new token once and waits', async () => {
  const report = await world.run(await world.open(CarefulShop), ['K31'])
  expect(resultOf(report, 'K31')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('fails one that gets new tokens without end', async () => {
  class Restless extends CarefulShop {
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      for (let tries = 0; ; tries++) {
        const reply = await this.attempt(path, await this.freshToken(), { body, headers })
        if (tries === 300 || !this.refusesToken(reply)) return reply
      }
    }
  }
  const report = await world.run(await world.open(Restless), ['K31'])
  expect(resultOf(report, 'K31')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'endless' } })
})

test.concurrent('passes one whose job asks for five hundred orders, once each', async () => {
  class Busy extends CarefulShop {
    override async reconcile() {
      await super.reconcile()
      await Promise.all(Array.from({ length: 500 }, (_, n) => this.lookUp(`order-${n}`)))
    }
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      const token = await this.token()
      const first = await this.attempt(path, token, { body, headers })
      if (!this.refusesToken(first)) return first
      return this.attempt(path, await this.another(token), { body, headers })
    }
    #current = ''
    override async token() {
      this.#current ||= await this.freshToken()
      return this.#current
    }
    async another(refused: string) {
      if (this.#current === refused) this.#current = ''
      return this.token()
    }
  }
  const report = await world.run(await world.open(Busy), ['K31'])
  expect(resultOf(report, 'K31')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('is not seen with a token that cannot be exchanged', async () => {
  const report = await world.run(await world.open(ModelShop), ['K31'])
  expect(resultOf(report, 'K31').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen where it keeps still for longer than is waited', async () => {
  class Shy extends CarefulShop {
    #silent = false
    override async call(path: string, body?: object, headers?: Record<string, string>) {
      if (this.#silent) return { status: 503, text: '' }
      const reply = await super.call(path, body, headers)
      this.#silent = reply.status === 401
      return reply
    }
  }
  const report = await world.run(await world.open(Shy), ['K31'])
  expect(resultOf(report, 'K31')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('patience'),
  })
})

test.concurrent('fails one that never recovers though its calls go well again', async () => {
  class Broken extends CarefulShop {
    #broken = false
    override refusesToken(reply: { status: number; text: string }) {
      this.#broken ||= super.refusesToken(reply)
      return super.refusesToken(reply)
    }
    override act(requestId: string, record: { orderId: string; orderStatus: string }) {
      if (!this.#broken) super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(Broken), ['K31'])
  expect(resultOf(report, 'K31')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('nothing keeps the process alive afterwards', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  const shop = await world.open(CarefulShop)
  const before = timers()
  await world.run(shop, ['K31'], { patience: '20s' })
  expect(timers()).toBeLessThanOrEqual(before)
})
