import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Conformance } from '../../../src/conform/index.ts'
import { startEmulator } from '../../../src/index.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { webShop } from '../support/web-shop.ts'
import { SoldOut } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application whose handlers do not disturb each other', async () => {
  const report = await world.run(await world.open(ModelShop), ['K15'])
  expect(resultOf(report, 'K15').verdict).toBe('PASS')
})

test('passes one that refuses the second webhook of an order while it works on the first', async () => {
  class Locking extends ModelShop {
    readonly #busy = new Set<string>()
    override async webhook(request: Request) {
      const { requestId } = JSON.parse(await request.clone().text())
      if (this.#busy.has(requestId)) return new Response(null, { status: 409 })
      this.#busy.add(requestId)
      return super.webhook(request).finally(() => this.#busy.delete(requestId))
    }
  }
  const report = await world.run(await world.open(Locking), ['K15'])
  expect(resultOf(report, 'K15').verdict).toBe('PASS')
})

test('fails one that writes back what it has read before the other handler wrote', async () => {
  class Overwriting extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const read = this.purchases.get(requestId)?.state
      const response = await super.webhook(request)
      const purchase = this.purchases.get(requestId)
      if (orderStatus === 'CREATED' && purchase && read) purchase.state = read
      return response
    }
  }
  const report = await world.run(await world.open(Overwriting), ['K01', 'K14', 'K15'])
  expect(resultOf(report, 'K14').verdict).toBe('PASS')
  expect(resultOf(report, 'K15')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K15'], { probe: undefined })
  expect(resultOf(report, 'K15').verdict).toBe('NOT-SEEN')
})

test('is not seen where only some of the orders were created', async () => {
  const report = await world.run(await world.open(SoldOut), ['K15'])
  expect(resultOf(report, 'K15')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('21 orders: it created only'),
  })
})

test('asks an application that answers with names of its own by these', async () => {
  const requestIds = new Map<string, string>()
  await using emulator = await startEmulator()
  const { config, close } = await webShop(emulator, async (path, shop) => {
    if (path === '/orders') {
      const own = `own-${requestIds.size}`
      requestIds.set(own, (await shop.buy({ text: '' })) ?? '')
      return Response.json({ order: { id: own } }, { status: 201 })
    }
    const found = shop.purchases.get(requestIds.get(path.replace('/orders/', '')) ?? '')
    return found ? Response.json({ order: { status: found.state, parcels: found.parcels } }) : null
  })
  onTestFinished(close)
  const report = await new Conformance(
    emulator,
    {
      ...config,
      start: { url: config.start.url, id: '/order/id' },
      probe: { ...config.probe, url: config.probe.url.replace('{requestId}', '{id}') },
    },
    { only: ['K15'] },
  ).run()
  expect(resultOf(report, 'K15')).toMatchObject({ verdict: 'PASS', note: null })
})
