import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks the order up as the client that it is', async () => {
  const report = await world.run(await world.open(ModelShop), ['K25'])
  expect(resultOf(report, 'K25').verdict).toBe('PASS')
})

test('passes one that refuses what is for another client', async () => {
  class Strict extends ModelShop {
    override async webhook(request: Request) {
      const { clientId } = JSON.parse(await request.clone().text())
      return clientId === this.client.clientId ? super.webhook(request) : new Response(null, { status: 403 })
    }
  }
  const report = await world.run(await world.open(Strict), ['K25'])
  expect(resultOf(report, 'K25').verdict).toBe('PASS')
})

test('fails one that looks up as the webhook says, and believes it when that is refused', async () => {
  class Misled extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, clientId, orderId, orderStatus } = JSON.parse(await request.clone().text())
      const query = new URLSearchParams({ requestId, clientId })
      const { status } = await this.call(`/v1/client/orders?${query}`)
      if (status !== 200) this.act(requestId, { orderId, orderStatus })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Misled), ['K20', 'K25'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K25')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'believed', sent: { body: expect.stringContaining('another-client') } },
  })
})

test('says nothing new of one that believes every webhook', async () => {
  const report = await world.run(await world.open(Trusting), ['K20', 'K25'])
  expect(resultOf(report, 'K25')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K20') })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K25'], { probe: undefined })
  expect(resultOf(report, 'K25').verdict).toBe('NOT-SEEN')
})
