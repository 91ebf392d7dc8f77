import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../../../src/time/timers.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

const answering = (answer: (request: Request) => Response | Promise<Response>) =>
  class extends ModelShop {
    override async webhook(request: Request) {
      await super.webhook(request.clone())
      return answer(request)
    }
  }

test('passes an application that answers 2xx at once', async () => {
  const report = await world.run(await world.open(ModelShop), ['K03'])
  expect(resultOf(report, 'K03').verdict).toBe('PASS')
})

test('fails one that redirects, although its level is SHOULD', async () => {
  const shop = answering(() => Response.redirect('http://shop.test/webhooks/', 308))
  const report = await world.run(await world.open(shop), ['K03'])
  expect(report.ok).toBe(false)
  expect(resultOf(report, 'K03')).toMatchObject({
    level: 'SHOULD',
    verdict: 'FAIL',
    finding: { defect: 'redirected', did: 'It answered 308 to the webhook of CREATED' },
  })
})

test('warns of one that acts and then answers 500', async () => {
  const shop = answering(() => new Response('no', { status: 500 }))
  const report = await world.run(await world.open(shop), ['K03'])
  expect(resultOf(report, 'K03')).toMatchObject({ verdict: 'WARN', finding: { defect: 'server-error' } })
})

/** Answers so much later, for COMPLETED, as often as is said, once the check of the configuration is over. */
const late = (ms: number, times: number) =>
  class extends ModelShop {
    #left = times
    override async webhook(request: Request) {
      const told = await request.clone().text()
      if (this.purchases.size > 7 && told.includes('COMPLETED') && this.#left-- > 0) await pause(ms)
      return super.webhook(request)
    }
  }

test('warns of one that takes more than a second for two of twenty', async () => {
  const report = await world.run(await world.open(late(1_050, 2)), ['K03'])
  expect(resultOf(report, 'K03')).toMatchObject({ verdict: 'WARN', finding: { defect: 'slow' } })
})

test('says nothing of a single slow answer', async () => {
  const report = await world.run(await world.open(late(1_050, 1)), ['K03'])
  expect(resultOf(report, 'K03').verdict).toBe('PASS')
})

test('warns of one that does not answer within 5 seconds', async () => {
  const report = await world.run(await world.open(late(5_300, 1)), ['K03'])
  expect(resultOf(report, 'K03')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'no-answer',
      did: expect.stringMatching(/^It did not answer the webhook of COMPLETED/),
    },
  })
})

test('says nothing of one that knows an order only once it is asked a second time', async () => {
  class Late extends ModelShop {
    readonly #met = new Set<string>()
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      if (this.#met.has(requestId)) return super.webhook(request)
      this.#met.add(requestId)
      return new Response('unknown', { status: 404 })
    }
  }
  const report = await world.run(await world.open(Late), ['K03'])
  expect(resultOf(report, 'K03').verdict).toBe('PASS')
})

test('passes one by its answers alone', async () => {
  const shop = answering(() => new Response())
  const report = await world.run(await world.open(shop), ['K03'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K03').verdict).toBe('PASS')
})

test('is not seen if orders that it has not created are unknown to it', async () => {
  const report = await world.run(await world.open(ModelShop), ['K03'], { start: undefined, probe: undefined })
  expect(report.problems).toEqual([])
  expect(resultOf(report, 'K03')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('answered 404'),
  })
})
