import { afterAll, beforeAll, expect, test } from 'vitest'
import { Conformance } from '../../../src/conform/index.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Works later than the tests of conform are set to wait. */
class Slow extends ModelShop {
  override async webhook(request: Request) {
    const copy = request.clone()
    setTimeout(() => void super.webhook(copy).catch(() => undefined), 300)
    return new Response()
  }
}

test('an application that is slower than its configuration says is waited for', async () => {
  const report = await world.run(await world.open(Slow), ['K01', 'K08'], { polling: '1s' })
  expect(report.counts).toMatchObject({ PASS: 2 })
})

test('one that is slow and wrong is watched for long enough, also if it is slow to sell', async () => {
  class SlowAndGenerous extends Slow {
    readonly #asked = new Map<string, number>()
    // What it does later about the webhook of CREATED comes just after the payment.
    override async buy(given: { text: string }) {
      const requestId = await super.buy(given)
      await new Promise((resolve) => setTimeout(resolve, 220))
      return requestId
    }
    override act(requestId: string, record: FiatRecord) {
      const asked = (this.#asked.get(requestId) ?? 0) + 1
      this.#asked.set(requestId, asked)
      // Both events of an order are one occasion; what comes after them ships again.
      if (asked > 2) this.purchases.get(requestId)?.shipped.clear()
      super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(SlowAndGenerous), ['K08'], { polling: '1s' })
  expect(resultOf(report, 'K08')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('one that polls as seldom as its configuration says is waited for, whenever it last did', async () => {
  class Polling extends ModelShop {
    override async webhook(_: Request) {
      return new Response()
    }
  }
  const shop = await world.open(Polling)
  let beginsMs: number | null = null
  // In the preflight it happens to look at once.
  const probe = async (requestId: string) => {
    if (beginsMs === null || Date.now() > beginsMs + 600) await shop.settle(requestId)
    return shop.show(requestId)
  }
  const run = new Conformance(
    world.emulator,
    { ...shop.config, probe, polling: '1s' },
    {
      only: ['K01'],
      onCase: () => {
        beginsMs = Date.now()
      },
    },
  )
  expect(resultOf(await run.run(), 'K01').verdict).toBe('PASS')
})
