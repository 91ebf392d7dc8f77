import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Hasty, PuttingOff } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks the order up and takes it for failed', async () => {
  const report = await world.run(await world.open(ModelShop), ['K02'])
  expect(resultOf(report, 'K02').verdict).toBe('PASS')
})

test('fails one whose handler breaks at an error code that it does not know', async () => {
  class Strict extends ModelShop {
    override async webhook(request: Request) {
      const { errorCode } = JSON.parse(await request.clone().text())
      if (errorCode !== undefined && !['9004', '9005', '9006.1'].includes(errorCode))
        return new Response('unknown error code', { status: 500 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Strict), ['K02'])
  expect(resultOf(report, 'K02')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'server-error', did: expect.stringMatching(/answered 500 .* failed with 8\d\d/) },
  })
})

test('fails one that keeps an order waiting whose error code is no whole number', async () => {
  class WholeNumbers extends ModelShop {
    override async webhook(request: Request) {
      const { errorCode = '0' } = JSON.parse(await request.clone().text())
      return String(Number.parseInt(errorCode, 10)) === errorCode ? super.webhook(request) : new Response()
    }
  }
  const report = await world.run(await world.open(WholeNumbers), ['K02'])
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'wrong-status' } })
})

test('fails one that releases whatever the end of the order is', async () => {
  class Blind extends ModelShop {
    override act(requestId: string, record: { orderId: string; orderStatus: string }) {
      super.act(
        requestId,
        record.orderStatus === 'CREATED' ? record : { ...record, orderStatus: 'COMPLETED' },
      )
    }
  }
  const report = await world.run(await world.open(Blind), ['K01', 'K02'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('says nothing of one that has released while the order was CREATED', async () => {
  const report = await world.run(await world.open(Hasty), ['K02'])
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K01') })
})

test('says nothing of one that breaks at its first webhook and is well at the second', async () => {
  class Nervous extends ModelShop {
    readonly #met = new Set<string>()
    override async webhook(request: Request) {
      const id = request.headers.get('webhook-id') ?? ''
      if (this.#met.has(id)) return super.webhook(request)
      this.#met.add(id)
      return new Response('locked', { status: 503 })
    }
  }
  const report = await world.run(await world.open(Nervous), ['K02'])
  expect(resultOf(report, 'K02').verdict).toBe('PASS')
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K02'], { probe: undefined })
  expect(resultOf(report, 'K02').verdict).toBe('NOT-SEEN')
})

test('says nothing, with the webhook URL alone, of one that puts off what it does not know', async () => {
  const shop = await world.open(PuttingOff)
  const report = await world.run(shop, ['K02'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K02')).toMatchObject({
    verdict: 'NOT-SEEN',
    needs: expect.arrayContaining(['start']),
  })
})

test('fails one whose handler breaks at it with the webhook URL alone, too', async () => {
  class Strict extends ModelShop {
    override async webhook(request: Request) {
      const { orderStatus } = JSON.parse(await request.text())
      return new Response(null, { status: orderStatus === 'FAILED' ? 500 : 204 })
    }
  }
  const shop = await world.open(Strict)
  const report = await world.run(shop, ['K02'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K02')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'server-error' } })
})
