import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Hasty, Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks the order up', async () => {
  const report = await world.run(await world.open(ModelShop), ['K20'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
})

test('fails one that believes the webhook', async () => {
  const report = await world.run(await world.open(Trusting), ['K20'])
  expect(resultOf(report, 'K20')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'believed', did: expect.stringMatching(/: it acted on the webhook alone\.$/) },
  })
})

test('says of one that looks the order up and believes the webhook, that it did so', async () => {
  class Unheeding extends Trusting {
    override async webhook(request: Request) {
      await this.lookUp(JSON.parse(await request.clone().text()).requestId)
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Unheeding), ['K20'])
  expect(resultOf(report, 'K20').finding?.did).toMatch(
    /it looked the order up once, and ignored the answer\.$/,
  )
})

test('fails one that takes a paid order for failed because a webhook says so', async () => {
  class Repenting extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const purchase = this.purchases.get(requestId)
      if (orderStatus === 'FAILED' && purchase !== undefined) purchase.state = 'declined'
      return orderStatus === 'FAILED' ? new Response() : super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Repenting), ['K20'])
  expect(resultOf(report, 'K20')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'believed',
      did: expect.stringMatching(/^A webhook said FAILED .* it acted on the webhook alone\.$/),
    },
  })
})

/** Fulfils once for each status in webhooks. */
class Marking extends ModelShop {
  readonly #told = new Set<string>()
  override async webhook(request: Request) {
    const { requestId, orderStatus } = JSON.parse(await request.clone().text())
    const what = `${requestId} ${orderStatus}`
    if (this.#told.has(what)) return new Response()
    this.#told.add(what)
    return super.webhook(request)
  }
}

test('fails one that takes the genuine webhook for the forged one again', async () => {
  const report = await world.run(await world.open(Marking), ['K01', 'K20'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K20')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('passes one that finds out by itself what it took for told already', async () => {
  const shop = await world.open(Marking)
  const reconcile = async () => {
    for (const requestId of shop.purchases.keys()) await shop.settle(requestId)
  }
  const report = await world.run(shop, ['K20'], { reconcile })
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
})

test('says nothing of one that releases while the order is CREATED', async () => {
  const report = await world.run(await world.open(Hasty), ['K20'])
  expect(resultOf(report, 'K20').verdict).toBe('NOT-SEEN')
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K20'], { probe: undefined })
  expect(resultOf(report, 'K20').verdict).toBe('NOT-SEEN')
})
