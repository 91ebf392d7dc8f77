import { afterAll, beforeAll, expect, test } from 'vitest'
import { CountingShop, RememberingShop } from '../support/counting-shop.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that knows what it has released', async () => {
  const report = await world.run(await world.open(ModelShop), ['K11'])
  expect(resultOf(report, 'K11').verdict).toBe('PASS')
})

test('fails one that remembers ids only', async () => {
  const report = await world.run(await world.open(RememberingShop), [
    'K08',
    'K09',
    'K10',
    'K11',
    'K12',
    'K13',
  ])
  expect(report.counts.FAIL).toBe(1)
  expect(resultOf(report, 'K11')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('judges for itself when it runs alone', async () => {
  const report = await world.run(await world.open(CountingShop), ['K11'])
  expect(resultOf(report, 'K11').verdict).toBe('FAIL')
})

test('is not seen where nobody counts what was released', async () => {
  const shop = await world.open(ModelShop)
  const probe = (requestId: string) => ({ status: shop.show(requestId)?.status ?? '' })
  const report = await world.run(shop, ['K11'], { probe })
  expect(resultOf(report, 'K11').verdict).toBe('NOT-SEEN')
})
