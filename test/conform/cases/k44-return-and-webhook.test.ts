import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataIn, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { SoldOut } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application in which one atomic step decides', async () => {
  const report = await world.run(await world.open(ModelShop), ['K44'])
  expect(resultOf(report, 'K44')).toMatchObject({ verdict: 'PASS', note: null })
})

/** Decides before the lookup what it does after it. */
class CheckThenAct extends ModelShop {
  override async settle(requestId: string) {
    const isNews = this.purchases.get(requestId)?.state === 'waiting'
    const records = await this.lookUp(requestId)
    for (const record of records ?? []) {
      if (isNews) this.purchases.get(requestId)?.shipped.clear()
      this.act(requestId, record)
    }
    return records !== null
  }
}

test.concurrent('fails one that releases for the browser and for the webhook', async () => {
  const report = await world.run(await world.open(CheckThenAct), ['K01', 'K08', 'K44'])
  expect(resultOf(report, 'K08').verdict).toBe('PASS')
  expect(resultOf(report, 'K44')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test.concurrent('fails one whose return page writes back what it has read before', async () => {
  class WritingBack extends ModelShop {
    override async browser(url: string) {
      const { requestId } = dataIn(url)
      const purchase = this.purchases.get(requestId)
      const copy = purchase && { ...purchase }
      await this.lookUp(requestId)
      if (copy !== undefined) this.purchases.set(requestId, copy)
      return new Response('Thank you')
    }
  }
  const report = await world.run(await world.open(WritingBack), ['K01', 'K44'])
  expect(resultOf(report, 'K44')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test.concurrent('says nothing new of one that two webhooks at once show to be wrong', async () => {
  const report = await world.run(await world.open(CheckThenAct), ['K15', 'K44'])
  expect(resultOf(report, 'K15').verdict).toBe('FAIL')
  expect(resultOf(report, 'K44')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'the same problem as in K15: fix that first',
  })
})

test.concurrent('is not seen where no browser can come back', async () => {
  const report = await world.run(await world.open(ModelShop), ['K44'], { browser: undefined })
  expect(resultOf(report, 'K44')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('no browser reaches'),
  })
})

test.concurrent('is not seen with fewer orders than it needs', async () => {
  class Stock extends SoldOut {
    override left = 10
  }
  const report = await world.run(await world.open(Stock), ['K44'])
  expect(resultOf(report, 'K44')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringMatching(/it created only \d of them/),
  })
})
