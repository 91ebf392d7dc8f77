import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Hasty, Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that releases once, when it is paid', async () => {
  const report = await world.run(await world.open(ModelShop), ['K01'])
  expect(report).toMatchObject({ ok: true, problems: [], counts: { PASS: 1 } })
})

test('fails one that releases while the order is CREATED', async () => {
  const report = await world.run(await world.open(Hasty), ['K01'])
  expect(report.ok).toBe(false)
  expect(resultOf(report, 'K01')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'premature' } })
})

test('fails one that never releases', async () => {
  const report = await world.run(await world.open(Idle), ['K01'])
  expect(resultOf(report, 'K01')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K01'], { probe: undefined })
  expect(resultOf(report, 'K01')).toMatchObject({ verdict: 'NOT-SEEN', finding: null })
})

test('is not seen, and nothing is asked, where the application creates no orders', async () => {
  const report = await world.run(await world.open(ModelShop), ['K01'], { start: undefined })
  expect(report.problems).toEqual([])
  expect(resultOf(report, 'K01')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('set `start`'),
  })
})
