import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultOf, shops } from '../support/model-shop.ts'
import { HmacShop, VerifyingShop } from '../support/verifying-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that allows for 5 minutes', async () => {
  const report = await world.run(await world.open(VerifyingShop), ['K07'])
  expect(resultOf(report, 'K07').verdict).toBe('PASS')
})

test.each([
  ['old', (seconds: number) => seconds < -60, 'ago'],
  ['ahead', (seconds: number) => seconds > 60, 'in the future'],
])('fails one that takes nothing that is a little %s', async (_, isRefused, words) => {
  class Narrow extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      const aheadSeconds = Number(headers['webhook-timestamp']) - Date.now() / 1_000
      return !isRefused(aheadSeconds) && super.isGenuine(bytes, headers)
    }
  }
  const report = await world.run(await world.open(Narrow), ['K06', 'K07'])
  expect(resultOf(report, 'K06').verdict).toBe('PASS')
  expect(resultOf(report, 'K07')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'refused', did: `It answered 401 to a webhook that was signed 4 minutes ${words}` },
  })
})

test('says nothing of one that refuses everything', async () => {
  class Closed extends VerifyingShop {
    // From the case's own order on: an application that refuses everything from the start is configured wrongly.
    override isGenuine(...about: Parameters<VerifyingShop['isGenuine']>) {
      return this.purchases.size <= 3 && super.isGenuine(...about)
    }
  }
  const report = await world.run(await world.open(Closed), ['K07'])
  expect(resultOf(report, 'K07').verdict).toBe('NOT-SEEN')
})

test('is not asked where signatures have no time', async () => {
  const report = await world.run(await world.open(HmacShop), ['K07'])
  expect(resultOf(report, 'K07').verdict).toBe('NOT-SEEN')
})
