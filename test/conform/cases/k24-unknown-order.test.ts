import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle, Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows nothing of it, and says so', async () => {
  const report = await world.run(await world.open(ModelShop), ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({ verdict: 'PASS', note: null })
})

test('passes one that answers 500, with a word about the repeats', async () => {
  class Loud extends ModelShop {
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      return answer.status === 404 ? new Response(null, { status: 500 }) : answer
    }
  }
  const report = await world.run(await world.open(Loud), ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({
    verdict: 'PASS',
    note: expect.stringContaining('answered 500'),
  })
})

test('passes one whose probe has no words for what it does not know', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => {
    const seen = shop.show(requestId)
    if (seen === null) throw new Error('no such order')
    return seen
  }
  const report = await world.run(shop, ['K24'], { probe })
  expect(resultOf(report, 'K24').verdict).toBe('PASS')
})

test('fails one that breaks the connection', async () => {
  class Falling extends ModelShop {
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      if (answer.status === 404) throw new TypeError('cannot read properties of undefined')
      return answer
    }
  }
  const report = await world.run(await world.open(Falling), ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'crashed', requestId: expect.stringMatching(/^stranger-/), sent: { status: null } },
  })
})

test('fails one that never answers', async () => {
  class Silent extends ModelShop {
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      return answer.status === 404 ? new Promise<Response>(() => undefined) : answer
    }
  }
  const shop = await world.open(Silent)
  await shop.client.changeSettings({ 'webhook.timeout': '100ms' })
  const report = await world.run(shop, ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'no-answer' } })
})

test('fails one that invents an order, though it looks up its own', async () => {
  class Inventing extends ModelShop {
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      if (this.purchases.has(requestId)) return super.webhook(request)
      this.purchases.set(requestId, { state: 'paid', parcels: 1, shipped: new Set() })
      return new Response()
    }
  }
  const report = await world.run(await world.open(Inventing), ['K20', 'K24'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K24')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'believed' } })
})

test('fails one that makes no order afterwards', async () => {
  class Wounded extends ModelShop {
    #wounded = false
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      this.#wounded ||= answer.status === 404
      return answer
    }
    override async buy(given: { text: string }) {
      if (this.#wounded) throw new Error('the database is locked')
      return super.buy(given)
    }
  }
  const report = await world.run(await world.open(Wounded), ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'crashed', did: expect.stringContaining('the database is locked') },
  })
})

test('says nothing of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K24'])
  expect(resultOf(report, 'K24')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K01') })
})

test('passes one that believes its own orders’ webhooks: that is for K20', async () => {
  const report = await world.run(await world.open(Trusting), ['K24'])
  expect(resultOf(report, 'K24').verdict).toBe('PASS')
})

test('is not seen with the webhook URL alone', async () => {
  const alone = { start: undefined, probe: undefined }
  const report = await world.run(await world.open(ModelShop), ['K24'], alone)
  expect(resultOf(report, 'K24')).toMatchObject({ verdict: 'NOT-SEEN', finding: null })
})
