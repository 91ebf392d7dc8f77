import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Hasty } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Takes its decisions by the money that came in. */
class ByAmount extends ModelShop {
  enough(_received: number): boolean {
    return true
  }
  override async lookUp(requestId: string): Promise<FiatRecord[] | null> {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    const { text } = await this.call(`/v1/client/crypto-orders?${query}`)
    const records: { orderId: string; receivedAmount: string; cryptoAmount: string }[] = JSON.parse(text).data
    return records.map(({ orderId, receivedAmount, cryptoAmount }) => ({
      orderId,
      orderStatus: this.enough(Number(receivedAmount) / Number(cryptoAmount)) ? 'COMPLETED' : 'FAILED',
    }))
  }
}

test('passes an application that goes by the status', async () => {
  const report = await world.run(await world.open(ModelShop), ['K36'])
  expect(resultOf(report, 'K36')).toMatchObject({ verdict: 'PASS', note: null })
})

test('warns of one that is content with half of the money', async () => {
  class Content extends ByAmount {
    override async webhook(request: Request) {
      const { orderStatus } = JSON.parse(await request.clone().text())
      return orderStatus === 'CREATED' ? new Response() : super.webhook(request)
    }
    override enough(received: number) {
      return received > 0
    }
  }
  const report = await world.run(await world.open(Content), ['K36'])
  expect(resultOf(report, 'K36')).toMatchObject({ verdict: 'WARN', finding: { defect: 'premature' } })
})

test('warns of one that takes too much money for a failure', async () => {
  class Exact extends ByAmount {
    override async webhook(request: Request) {
      const { orderStatus } = JSON.parse(await request.clone().text())
      return orderStatus === 'CREATED' ? new Response() : super.webhook(request)
    }
    override enough(received: number) {
      return received === 1
    }
  }
  const report = await world.run(await world.open(Exact), ['K36'])
  expect(resultOf(report, 'K36')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test('does not blame it for what was released before', async () => {
  const report = await world.run(await world.open(Hasty), ['K36'])
  expect(resultOf(report, 'K36').verdict).toBe('NOT-SEEN')
})
