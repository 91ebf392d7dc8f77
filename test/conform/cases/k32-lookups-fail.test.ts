import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

class AnswersFirst extends ModelShop {
  override async webhook(request: Request) {
    await super.webhook(request)
    return new Response()
  }
}

test('passes an application that refuses the webhook, so that it comes again', async () => {
  const report = await world.run(await world.open(ModelShop), ['K32'])
  expect(resultOf(report, 'K32')).toMatchObject({ verdict: 'PASS', note: null })
})

test('passes one that accepts the webhook and looks the order up later', async () => {
  class Later extends CarefulShop {
    override webhook = AnswersFirst.prototype.webhook
  }
  const report = await world.run(await world.open(Later), ['K32'])
  expect(resultOf(report, 'K32').verdict).toBe('PASS')
})

test('warns of one that accepts the webhook and never looks again', async () => {
  const report = await world.run(await world.open(AnswersFirst), ['K32'])
  expect(resultOf(report, 'K32')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test('warns of one that asks all the time and gives up at an answer that is no JSON', async () => {
  class GivesUp extends ModelShop {
    override async buy(given: { text: string }) {
      const requestId = await super.buy(given)
      if (requestId !== null) void this.ask(requestId)
      return requestId
    }

    /** Again and again, until it is decided. */
    async ask(requestId: string) {
      while (this.purchases.get(requestId)?.state === 'waiting') {
        await this.settle(requestId)
        await new Promise(setImmediate)
      }
    }

    override async settle(requestId: string) {
      const purchase = this.purchases.get(requestId)
      if (purchase?.state === 'waiting') return super.settle(requestId)
      return true
    }

    override async lookUp(requestId: string) {
      const { clientId } = this.client
      const { status, text } = await this.call(
        `/v1/client/orders?${new URLSearchParams({ requestId, clientId })}`,
      )
      const purchase = this.purchases.get(requestId)
      if (text.startsWith('<') && purchase) purchase.state = 'declined'
      return status === 200 && purchase?.state === 'waiting' ? JSON.parse(text).data : null
    }
  }
  const report = await world.run(await world.open(GivesUp), ['K32'])
  expect(resultOf(report, 'K32').verdict).toBe('WARN')
})

test('is not seen with one that looks nothing up', async () => {
  const report = await world.run(await world.open(Trusting), ['K32'])
  expect(resultOf(report, 'K32').verdict).toBe('NOT-SEEN')
})

test('is not seen without a start call', async () => {
  const report = await world.run(await world.open(ModelShop), ['K32'], { start: undefined })
  expect(resultOf(report, 'K32').verdict).toBe('NOT-SEEN')
})
