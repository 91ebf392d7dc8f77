import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks the order up', async () => {
  const report = await world.run(await world.open(ModelShop), ['K20'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
})

test('fails one that believes the webhook', async () => {
  class Trusting extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderId, orderStatus } = JSON.parse(await request.text())
      this.act(requestId, { orderId, orderStatus })
      return new Response()
    }
  }
  const report = await world.run(await world.open(Trusting), ['K20'])
  expect(resultOf(report, 'K20')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'believed' } })
})
