import { afterAll, beforeAll, expect, test } from 'vitest'
import { RememberingShop } from '../support/counting-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.concurrent.each([
  ['asks again', ModelShop],
  ['knows events again', RememberingShop],
] as const)('passes an application that %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K55'])
  expect(resultOf(report, 'K55')).toMatchObject({ verdict: 'PASS', note: null })
})

/** A shop that has an answer of its own for events about orders that are paid. */
const answering = (answer: () => Response) =>
  class extends ModelShop {
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      return this.purchases.get(requestId)?.state === 'paid' ? answer() : super.webhook(request)
    }
  }

test.concurrent.each([
  ['refuses it as a conflict', () => new Response('known', { status: 409 }), 'refused'],
  ['has deleted the order from its list', () => new Response('unknown', { status: 404 }), 'refused'],
  ['breaks at its unique key', () => new Response('duplicate key', { status: 500 }), 'server-error'],
] as const)('warns of one that %s', async (_, answer, defect) => {
  const report = await world.run(await world.open(answering(answer)), ['K01', 'K55'])
  expect(resultOf(report, 'K55')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect,
      did: expect.stringMatching(/^It answered 204 to .*, and answered \d+ to the same webhook again$/),
    },
  })
})

test.concurrent('warns of one that minds only the new id', async () => {
  class ByOrder extends ModelShop {
    readonly #ids = new Map<string, string>()
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const id = request.headers.get('webhook-id') ?? ''
      if (orderStatus !== 'COMPLETED') return super.webhook(request)
      if (!this.#ids.has(requestId)) this.#ids.set(requestId, id)
      return this.#ids.get(requestId) === id ? super.webhook(request) : new Response(null, { status: 422 })
    }
  }
  const report = await world.run(await world.open(ByOrder), ['K55'])
  expect(resultOf(report, 'K55').finding?.did).toMatch(/answered 422 to the same event under a new id$/)
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K55'])
  expect(resultOf(report, 'K55').verdict).toBe('NOT-SEEN')
})

test.concurrent('is seen by its answers alone', async () => {
  class Open extends ModelShop {
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      return answer.status === 404 ? new Response() : answer
    }
  }
  const config = { start: undefined, probe: undefined }
  const report = await world.run(await world.open(Open), ['K55'], config)
  expect(['PASS', 'NOT-SEEN']).toContain(resultOf(report, 'K55').verdict)
})
