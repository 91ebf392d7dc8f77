import { afterAll, beforeAll, expect, test } from 'vitest'
import { RememberingShop } from '../support/counting-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Keeps ids for a day of its own clock. */
class Forgetful extends RememberingShop {
  nowMs = 0
  keyedAt = new Map<string, number>()

  override async isNews(request: Request) {
    const id = this.keyOf(request)
    const at = this.keyedAt.get(id)
    if (at !== undefined && this.nowMs - at < 24 * 60 * 60 * 1_000) return false
    this.keyedAt.set(id, this.nowMs)
    return true
  }
}

test('passes an application that never forgets what it has released', async () => {
  const report = await world.run(await world.open(ModelShop), ['K13'], { time: () => undefined })
  expect(resultOf(report, 'K13').verdict).toBe('PASS')
})

test('warns of one that keeps ids for a day', async () => {
  const shop = await world.open(Forgetful)
  const time = (nowMs: number) => {
    if (shop instanceof Forgetful) shop.nowMs = nowMs
  }
  const report = await world.run(shop, ['K08', 'K09', 'K13'], { time })
  expect(report.counts).toMatchObject({ PASS: 2, WARN: 1 })
  expect(resultOf(report, 'K13').finding?.defect).toBe('doubled')
})

test('is not seen where the clock of the application cannot be set', async () => {
  const report = await world.run(await world.open(ModelShop), ['K13'])
  expect(resultOf(report, 'K13')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('`time`'),
  })
})

test('is not seen if the webhook is no longer taken', async () => {
  class Wary extends ModelShop {
    nowMs = 0
    override async webhook(request: Request) {
      const shipped = [...this.purchases.values()].some(({ shipped }) => shipped.size > 0)
      const answer = await super.webhook(request)
      return shipped && this.nowMs > 0 ? new Response('too old', { status: 401 }) : answer
    }
  }
  const shop = await world.open(Wary)
  let before = 0
  const time = (nowMs: number) => {
    if (shop instanceof Wary && nowMs - before > 25 * 60 * 60 * 1_000 && before > 0) shop.nowMs = nowMs
    before = nowMs
  }
  const report = await world.run(shop, ['K13'], { time })
  expect(resultOf(report, 'K13')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('did not accept'),
  })
})
