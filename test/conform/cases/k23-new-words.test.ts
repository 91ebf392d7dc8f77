import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Trusting } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that passes over what it does not know', async () => {
  const report = await world.run(await world.open(ModelShop), ['K23'])
  expect(resultOf(report, 'K23').verdict).toBe('PASS')
})

test('fails one that refuses members that it does not know', async () => {
  class Strict extends ModelShop {
    override async webhook(request: Request) {
      const known = 'requestId clientId orderId orderStatus orderType eventType errorCode'.split(' ')
      const members = Object.keys(JSON.parse(await request.clone().text()))
      if (!members.every((name) => known.includes(name))) return new Response('strict', { status: 422 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Strict), ['K01', 'K23'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K23')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'refused', sent: { body: expect.stringContaining('riskScore'), status: 422 } },
  })
})

test('fails one that trips over an errorCode that is null', async () => {
  class Tripping extends ModelShop {
    override async webhook(request: Request) {
      const { errorCode } = JSON.parse(await request.clone().text())
      if (errorCode !== undefined && typeof errorCode !== 'string') return new Response(null, { status: 500 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Tripping), ['K23'])
  expect(resultOf(report, 'K23')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'server-error', did: expect.stringContaining('errorCode is null') },
  })
})

test('fails one that refuses a new eventType', async () => {
  class Picky extends ModelShop {
    override async webhook(request: Request) {
      const { eventType } = JSON.parse(await request.clone().text())
      if (eventType !== 'service-sdk-transaction-status') return new Response(null, { status: 400 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Picky), ['K23'])
  expect(resultOf(report, 'K23')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'refused' } })
})

test('leaves one alone that asks for an early webhook again with 503', async () => {
  class Cautious extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderStatus } = JSON.parse(await request.clone().text())
      const [record] = (await this.lookUp(requestId)) ?? []
      if (record !== undefined && record.orderStatus !== orderStatus)
        return new Response('not yet', { status: 503 })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Cautious), ['K23'])
  expect(resultOf(report, 'K23').verdict).toBe('PASS')
})

test('fails one that believes a COMPLETED of a new type, though it looks up the others', async () => {
  class Believing extends ModelShop {
    override async webhook(request: Request) {
      const { requestId, orderId, orderStatus, eventType } = JSON.parse(await request.clone().text())
      if (eventType !== 'service-sdk-transaction-status') this.act(requestId, { orderId, orderStatus })
      return super.webhook(request)
    }
  }
  const report = await world.run(await world.open(Believing), ['K20', 'K23'])
  expect(resultOf(report, 'K20').verdict).toBe('PASS')
  expect(resultOf(report, 'K23')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'believed' } })
})

test('says nothing new of one that believes every webhook', async () => {
  const report = await world.run(await world.open(Trusting), ['K20', 'K23'])
  expect(resultOf(report, 'K20').verdict).toBe('FAIL')
  expect(resultOf(report, 'K23')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('K20'),
  })
})

test('judges no answer of one that takes plain webhooks no better', async () => {
  class Refusing extends ModelShop {
    override async webhook(request: Request) {
      await super.webhook(request)
      return new Response(null, { status: 409 })
    }
  }
  const report = await world.run(await world.open(Refusing), ['K23'])
  expect(resultOf(report, 'K23').verdict).toBe('NOT-SEEN')
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K23'], { probe: undefined })
  expect(resultOf(report, 'K23')).toMatchObject({ verdict: 'NOT-SEEN', finding: null })
})
