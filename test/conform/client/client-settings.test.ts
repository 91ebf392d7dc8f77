import { expect, test } from 'vitest'
import { playStories, type StepText } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { ModelShop, type Reply, resultOf, shops } from '../support/model-shop.ts'

/** Sends its customers to the payment page, as most applications do. */
class ShopWithPage extends ModelShop {
  override call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
    return super.call(path, body && { ...body, mode: 'returnUrl' }, headers)
  }
}

const story = (...acts: StepText[]) => ({ name: acts.join(', '), promise: 'released-once' as const, acts })

test('an order with a payment page is paid as test cases and stories say', async () => {
  const { emulator, open, run } = await shops()
  const shop = await open(ShopWithPage)
  const { stories } = await playStories(emulator, shop.config, [story('create', 'pay')])
  expect(stories).toMatchObject([{ verdict: 'PASS', broken: null }])
  expect(resultOf(await run(shop, ['K01']), 'K01')).toMatchObject({ verdict: 'PASS' })
})

test.each([
  ['orders.autopay', 'never'],
  ['webhook.disableAfter', 1],
])('a setting of the client does not look like a mistake of the application: %s', async (name, value) => {
  const { emulator, open } = await shops()
  const shop = await open(ModelShop)
  await shop.client.change({ settings: { [name]: value } })
  const { stories } = await playStories(emulator, shop.config, [story('create', 'lookups answer 503', 'pay')])
  expect(stories).toMatchObject([{ verdict: 'PASS', broken: null }])
  expect((await shop.client.read()).settings).toEqual({ [name]: value })
})
