import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { HmacShop, VerifyingShop } from '../support/verifying-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that looks at the time', async () => {
  const report = await world.run(await world.open(VerifyingShop), ['K06'])
  expect(resultOf(report, 'K06').verdict).toBe('PASS')
})

test('fails one that verifies the signature and not its time', async () => {
  class Timeless extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      return headers['webhook-signature'] === this.rightSignature(bytes.toString('utf8'), headers)
    }
  }
  const report = await world.run(await world.open(Timeless), ['K04', 'K06'])
  expect(resultOf(report, 'K04').verdict).toBe('PASS')
  expect(resultOf(report, 'K06')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'accepted', did: 'It answered 204 to a webhook that was signed 10 minutes ago' },
  })
})

test('fails one that looks at the past only', async () => {
  class Backward extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      const signed = headers['webhook-signature'] === this.rightSignature(bytes.toString('utf8'), headers)
      return signed && Number(headers['webhook-timestamp']) > Date.now() / 1_000 - 300
    }
  }
  const report = await world.run(await world.open(Backward), ['K06'])
  expect(resultOf(report, 'K06').finding?.did).toContain('in the future')
})

test('says nothing more of one that verifies nothing', async () => {
  const shop = await world.open(ModelShop)
  const report = await world.run(shop, ['K04', 'K06'], { webhookSignature: 'standard' })
  expect(resultOf(report, 'K04').verdict).toBe('FAIL')
  expect(resultOf(report, 'K06')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('K04') })
})

test('is not asked where signatures have no time', async () => {
  const report = await world.run(await world.open(HmacShop), ['K06'])
  expect(resultOf(report, 'K06').verdict).toBe('NOT-SEEN')
})
