import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Gives orders up when they have expired. */
class Expiring extends ModelShop {
  readonly #expiresMs = new Map<string, number>()

  override async create(requestId: string, text: string) {
    const reply = await super.create(requestId, text)
    if (reply.status === 200)
      this.#expiresMs.set(requestId, this.readTime(JSON.parse(reply.text).offerInfoData.expiryTs))
    return reply
  }

  readTime(text: string): number {
    return Date.parse(text)
  }

  async reconcile() {
    const nowMs = await this.client.clock.now()
    for (const [requestId, expiresMs] of this.#expiresMs) {
      await this.settle(requestId)
      const purchase = this.purchases.get(requestId)
      if (purchase?.state === 'waiting' && expiresMs < nowMs) purchase.state = 'declined'
    }
  }

  override act(requestId: string, record: FiatRecord) {
    if (this.purchases.get(requestId)?.state !== 'declined') super.act(requestId, record)
  }
}

async function judged(shop: typeof Expiring) {
  const opened = await world.open(shop)
  const report = await world.run(opened, ['K01', 'K54'], { reconcile: () => opened.reconcile() })
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  return resultOf(report, 'K54')
}

test('passes an application that reads the offset', async () => {
  expect(await judged(Expiring)).toMatchObject({ verdict: 'PASS', note: null })
})

test('fails one that takes every time for UTC', async () => {
  class InUtc extends Expiring {
    override readTime(text: string) {
      return Date.parse(text.replace(/[+-]\d\d:\d\d$/, 'Z'))
    }
  }
  expect(await judged(InUtc)).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'wrong-status',
      did: 'The order expires in 60 minutes and is CREATED, but it said "FAILED" with 0 fulfilments',
    },
  })
})

test('fails one that cannot read other offsets', async () => {
  class Strict extends Expiring {
    override readTime(text: string) {
      return text.endsWith('+00:00') ? Date.parse(text) : 0
    }
  }
  expect(await judged(Strict)).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test('says nothing new of one that releases before the payment', async () => {
  class Hasty extends ModelShop {
    override act(requestId: string, record: FiatRecord) {
      super.act(requestId, { ...record, orderStatus: 'COMPLETED' })
    }
  }
  const report = await world.run(await world.open(Hasty), ['K01', 'K54'])
  expect(resultOf(report, 'K54').verdict).toBe('NOT-SEEN')
})
