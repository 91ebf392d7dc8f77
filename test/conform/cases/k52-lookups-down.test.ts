import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataIn, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent('passes an application that waits for the lookup', async () => {
  const report = await world.run(await world.open(ModelShop), ['K52'])
  expect(resultOf(report, 'K52')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('fails one that falls back on the webhook', async () => {
  class FailOpen extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderId, orderStatus } = JSON.parse(await request.clone().text())
      const answer = await super.webhook(request)
      if (answer.status === 503) this.act(requestId, { orderId, orderStatus })
      return answer
    }
  }
  const report = await world.run(await world.open(FailOpen), ['K01', 'K20', 'K40', 'K52'])
  expect(report.counts).toMatchObject({ PASS: 3, FAIL: 1 })
  expect(resultOf(report, 'K52').finding).toMatchObject({
    defect: 'believed',
    did: expect.stringMatching(/^While its lookups failed, a webhook said COMPLETED\./),
  })
})

/** Believes the browser if it cannot ask anybody else. */
class LetsBrowsersIn extends ModelShop {
  override async browser(url: string) {
    const data = dataIn(url)
    if (!(await this.settle(data.requestId))) this.act(data.requestId, data)
    return new Response('Thank you')
  }
}

test.concurrent('fails one that falls back on the browser', async () => {
  const report = await world.run(await world.open(LetsBrowsersIn), ['K40', 'K52'])
  expect(resultOf(report, 'K40').verdict).toBe('PASS')
  expect(resultOf(report, 'K52').finding).toMatchObject({
    defect: 'believed',
    did: expect.stringMatching(/a returning browser said COMPLETED\./),
  })
})

test.concurrent('says nothing new of one that trusts webhooks anyway', async () => {
  const report = await world.run(await world.open(Trusting), ['K20', 'K52'])
  expect(resultOf(report, 'K52')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'the same problem as in K20: fix that first',
  })
})

test.concurrent('passes one to which no browser returns by the webhook alone', async () => {
  const report = await world.run(await world.open(ModelShop), ['K52'], { browser: undefined })
  expect(resultOf(report, 'K52').verdict).toBe('PASS')
})
