import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { HmacShop, VerifyingShop } from '../support/verifying-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

test('passes an application that tries each signature', async () => {
  const report = await world.run(await world.open(VerifyingShop), ['K46'])
  expect(resultOf(report, 'K46')).toMatchObject({ verdict: 'PASS', note: null })
})

/** Verifies one of the signatures in a header. */
function verifying(which: (signatures: readonly string[]) => string | undefined) {
  return class extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      const signatures = (headers['webhook-signature'] ?? '').split(' ')
      return super.isGenuine(bytes, { ...headers, 'webhook-signature': which(signatures) ?? '' })
    }
  }
}

test.each([
  ['first', 'last, after one', verifying((signatures) => signatures[0])],
  ['last', 'first, and one', verifying((signatures) => signatures.at(-1))],
  ['second, if there is one', 'first, and one', verifying(([first, second]) => second ?? first)],
])('warns of one that reads only the %s', async (_, unread, shop) => {
  const report = await world.run(await world.open(shop), ['K04', 'K46'])
  expect(resultOf(report, 'K04').verdict).toBe('PASS')
  expect(resultOf(report, 'K46')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'refused',
      did: `It answered 401 to a webhook with a genuine signature ${unread} of another secret`,
    },
  })
})

test('warns of one that refuses versions that it does not know', async () => {
  class Strict extends VerifyingShop {
    override isGenuine(bytes: Buffer, headers: Record<string, string>) {
      const signatures = (headers['webhook-signature'] ?? '').split(' ')
      return signatures.every((each) => each.startsWith('v1,')) && super.isGenuine(bytes, headers)
    }
  }
  const report = await world.run(await world.open(Strict), ['K46'])
  expect(resultOf(report, 'K46').finding?.did).toContain('between two of unknown versions')
})

/** Takes a webhook with several signatures for genuine. */
class Counting extends VerifyingShop {
  override isGenuine(bytes: Buffer, headers: Record<string, string>) {
    return headers['webhook-signature']?.includes(' ') || super.isGenuine(bytes, headers)
  }
}

test('warns of one that takes two wrong signatures for a right one', async () => {
  const report = await world.run(await world.open(Counting), ['K04', 'K46'])
  expect(resultOf(report, 'K46')).toMatchObject({ verdict: 'WARN', finding: { defect: 'accepted' } })
})

test('says nothing new of one that verifies nothing', async () => {
  const config = { webhookSignature: 'standard' } as const
  const report = await world.run(await world.open(ModelShop), ['K04', 'K46'], config)
  expect(resultOf(report, 'K46')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: 'the same problem as in K04: fix that first',
  })
})

test.each([
  ['no signature', ModelShop, '`webhookSignature`'],
  ['hmac-body', HmacShop, 'carries one signature, never several'],
] as const)('is not seen with %s', async (_, shop, words) => {
  const report = await world.run(await world.open(shop), ['K46'])
  expect(resultOf(report, 'K46')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining(words) })
})
