import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

const urlOf = async (shop: ModelShop) => (await shop.client.read()).webhookUrl

test('passes an application that takes both, and puts the URL back', async () => {
  const shop = await world.open(ModelShop)
  const before = await urlOf(shop)
  const report = await world.run(shop, ['K39'])
  expect(resultOf(report, 'K39').verdict).toBe('PASS')
  expect(await urlOf(shop)).toBe(before)
})

/** Knows its URL by heart. */
class Literal extends ModelShop {
  override async webhook(request: Request) {
    if (request.url !== this.config.webhookUrl) return new Response(null, { status: 404 })
    return super.webhook(request)
  }
}

test('warns of one that knows the old URL only', async () => {
  const report = await world.run(await world.open(Literal), ['K01', 'K39'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K39')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'refused', did: expect.stringContaining('moved=1'), sent: { status: 404 } },
  })
})

test('leaves the webhooks of later cases alone', async () => {
  const shop = await world.open(Literal)
  await world.run(shop, ['K39'])
  expect(resultOf(await world.run(shop, ['K01']), 'K01').verdict).toBe('PASS')
})

test('says nothing of one that refuses every webhook and polls', async () => {
  class Polling extends ModelShop {
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.text())
      setTimeout(() => this.settle(requestId), 5)
      return new Response(null, { status: 403 })
    }
  }
  // Longer than its poll takes however busy the machine is: an application that never acts would be one that is not
  // configured well.
  const report = await world.run(await world.open(Polling), ['K39'], { settle: '500ms' })
  expect(resultOf(report, 'K39').finding).toBe(null)
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K39'], { probe: undefined })
  expect(resultOf(report, 'K39').verdict).toBe('NOT-SEEN')
})
