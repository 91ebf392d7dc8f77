import { afterAll, beforeAll, expect, test } from 'vitest'
import { CountingShop, RememberingShop } from '../support/counting-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows what it has released', async () => {
  const report = await world.run(await world.open(ModelShop), ['K09'])
  expect(resultOf(report, 'K09').verdict).toBe('PASS')
})

test('fails one that takes each signature for another webhook', async () => {
  class BySignature extends RememberingShop {
    override keyOf(request: Request) {
      return request.headers.get('webhook-signature') ?? ''
    }
  }
  const report = await world.run(await world.open(BySignature), ['K09', 'K11'])
  expect(resultOf(report, 'K09')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
  expect(resultOf(report, 'K11').verdict).toBe('NOT-SEEN')
})

test('says nothing new of one that releases for each webhook', async () => {
  const report = await world.run(await world.open(CountingShop), ['K08', 'K09', 'K10', 'K11', 'K13'])
  expect(report.counts).toMatchObject({ FAIL: 1, WARN: 0, 'NOT-SEEN': 4 })
  expect(resultOf(report, 'K09').note).toContain('K08')
})

test('passes one that remembers ids', async () => {
  const report = await world.run(await world.open(RememberingShop), ['K09'])
  expect(resultOf(report, 'K09').verdict).toBe('PASS')
})

test('says nothing of one that never releases', async () => {
  const report = await world.run(await world.open(Idle), ['K09'])
  expect(resultOf(report, 'K09')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K01') })
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => ({ status: shop.show(requestId)?.status ?? '' })
  const report = await world.run(shop, ['K09'], { probe })
  expect(resultOf(report, 'K09').verdict).toBe('NOT-SEEN')
})
