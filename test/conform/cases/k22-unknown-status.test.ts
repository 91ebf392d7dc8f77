import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { PuttingOff } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

interface Record {
  orderId: string
  orderStatus: string
}

const isKnown = ({ orderStatus }: Record) => ['CREATED', 'COMPLETED', 'FAILED'].includes(orderStatus)

test('passes an application that waits', async () => {
  const report = await world.run(await world.open(ModelShop), ['K22'])
  expect(resultOf(report, 'K22').verdict).toBe('PASS')
})

class Strict extends ModelShop {
  override async webhook(request: Request) {
    try {
      return await super.webhook(request)
    } catch {
      return new Response('Unknown status', { status: 500 })
    }
  }
  override act(requestId: string, record: Record) {
    if (!isKnown(record)) throw new Error(`There is no status ${record.orderStatus}`)
    super.act(requestId, record)
  }
}

test('fails one that answers 500 to a status that it does not know', async () => {
  const report = await world.run(await world.open(Strict), ['K22'])
  expect(resultOf(report, 'K22')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'server-error', sent: { status: 500 } },
  })
})

test('fails one that answers 500 to it with the webhook URL alone, too', async () => {
  class Reading extends ModelShop {
    override async webhook(request: Request) {
      const event = JSON.parse(await request.text())
      return new Response(null, { status: isKnown(event) ? 200 : 500 })
    }
  }
  const shop = await world.open(Reading)
  const report = await world.run(shop, ['K22'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K22')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'server-error' } })
})

test('says nothing of one that answers 500 to every webhook', async () => {
  class Broken extends ModelShop {
    override async webhook(_: Request) {
      return new Response(null, { status: 500 })
    }
  }
  const shop = await world.open(Broken)
  const report = await world.run(shop, ['K22'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K22').verdict).toBe('NOT-SEEN')
})

test('fails one that takes what it does not know for paid', async () => {
  class Optimistic extends ModelShop {
    override act(requestId: string, record: Record) {
      super.act(requestId, isKnown(record) ? record : { ...record, orderStatus: 'COMPLETED' })
    }
  }
  const report = await world.run(await world.open(Optimistic), ['K01', 'K22'])
  expect(resultOf(report, 'K22')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('fails one that gives an order up for it', async () => {
  class GivingUp extends ModelShop {
    override act(requestId: string, record: Record) {
      const purchase = this.purchases.get(requestId)
      if (purchase && !isKnown(record)) purchase.state = 'declined'
      if (purchase?.state !== 'declined') super.act(requestId, record)
    }
  }
  const report = await world.run(await world.open(GivingUp), ['K01', 'K22'])
  expect(resultOf(report, 'K22')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('says nothing, with the webhook URL alone, of one that puts off what it does not know', async () => {
  const shop = await world.open(PuttingOff)
  const report = await world.run(shop, ['K22'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K22')).toMatchObject({
    verdict: 'NOT-SEEN',
    needs: expect.arrayContaining(['start']),
  })
})
