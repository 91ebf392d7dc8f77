import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { HmacShop, VerifyingShop } from '../support/verifying-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test.each([
  ['standard', VerifyingShop],
  ['hmac-body', HmacShop],
])('passes an application that verifies %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K04'])
  expect(resultOf(report, 'K04').verdict).toBe('PASS')
})

test('fails one that verifies nothing, though it looks the order up', async () => {
  const report = await world.run(await world.open(ModelShop), ['K04', 'K20'], {
    webhookSignature: 'standard',
  })
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K04')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'accepted',
      did: 'It answered 204 to a webhook whose body was changed by one byte after signing',
      sent: { status: 204 },
    },
  })
})

test('fails one that verifies only what has a signature', async () => {
  class Polite extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      return headers['webhook-signature'] === undefined || super.isGenuine(bytes, headers)
    }
  }
  const report = await world.run(await world.open(Polite), ['K04'])
  expect(resultOf(report, 'K04').finding?.did).toBe(
    'It answered 204 to a webhook without a signature that says CREATED',
  )
})

test('fails one that does not verify what its lookup contradicts', async () => {
  class Sceptic extends ModelShop {
    override async webhook(request: Request) {
      const { orderStatus } = JSON.parse(await request.clone().text())
      return orderStatus === 'COMPLETED' ? new Response('not so', { status: 409 }) : super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Sceptic), ['K04'], { webhookSignature: 'standard' })
  expect(resultOf(report, 'K04')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'accepted' } })
})

test('fails one that breaks at garbage', async () => {
  class Fragile extends HmacShop {
    override async webhook(request: Request) {
      const signature = request.headers.get('signature') ?? ''
      if (signature.startsWith('v1,')) return new Response('RangeError', { status: 500 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Fragile), ['K04'])
  expect(resultOf(report, 'K04')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'server-error' } })
})

test('fails one that refuses and acts all the same', async () => {
  class Both extends VerifyingShop {
    override async webhook(request: Request) {
      const { requestId, orderId, orderStatus } = JSON.parse(await request.clone().text())
      this.act(requestId, { orderId, orderStatus })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Both), ['K04'])
  expect(resultOf(report, 'K04')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'believed' } })
})

test('says nothing of one that refuses the genuine too', async () => {
  class Closed extends VerifyingShop {
    // From the case's own order on: an application that refuses everything from the start is configured wrongly.
    override isGenuine(...about: Parameters<VerifyingShop['isGenuine']>) {
      return this.purchases.size <= 3 && super.isGenuine(...about)
    }
  }
  const report = await world.run(await world.open(Closed), ['K04'])
  expect(resultOf(report, 'K04')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('answered 401 to a genuine webhook'),
  })
})

test('is not asked where no signature is configured', async () => {
  const report = await world.run(await world.open(ModelShop), ['K04'])
  expect(resultOf(report, 'K04')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('`webhookSignature`'),
  })
})

test('passes one by its answers alone', async () => {
  class Open extends VerifyingShop {
    override async webhook(request: Request) {
      const answer = await super.webhook(request)
      return answer.status === 404 ? new Response() : answer
    }
  }
  const report = await world.run(await world.open(Open), ['K04'], { start: undefined, probe: undefined })
  expect(resultOf(report, 'K04').verdict).toBe('PASS')
})
