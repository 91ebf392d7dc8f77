import { expect, test } from 'vitest'
import { type Given, playStories, type StepText } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { CarefulShop } from '../support/careful-shop.ts'
import { type FiatRecord, shops } from '../support/model-shop.ts'

/** Creates another order each time a cart is submitted, and sells each cart once. A second payment has a status of its
 *  own. */
class ShopOfAttempts extends CarefulShop {
  readonly carts = new Map<string, string>()
  readonly #soldBy = new Map<string, string>()

  override get config() {
    return { ...super.config, start: (given: Given) => this.submit(given) }
  }

  async submit({ text, amount, cart }: Given): Promise<string> {
    const requestId = this.newPurchase()
    this.carts.set(requestId, cart)
    await this.create(requestId, text, amount)
    return requestId
  }

  override act(requestId: string, record: FiatRecord): void {
    const cart = this.carts.get(requestId) ?? ''
    if (record.orderStatus === 'COMPLETED' && !this.#soldBy.has(cart)) this.#soldBy.set(cart, requestId)
    if (record.orderStatus === 'FAILED' || this.#soldBy.get(cart) === requestId) super.act(requestId, record)
  }

  override show(requestId: string) {
    const shown = super.show(requestId)
    const isSold = [undefined, requestId].includes(this.#soldBy.get(this.carts.get(requestId) ?? ''))
    return isSold ? shown : { status: 'SOLD-BEFORE', effects: 0 }
  }
}

/** Shows of an order what was sent for its cart. */
class ShopOfCarts extends ShopOfAttempts {
  override show(requestId: string) {
    const cart = this.carts.get(requestId)
    const parcels = [...this.purchases].map(([each, purchase]) =>
      this.carts.get(each) === cart ? purchase.parcels : 0,
    )
    const effects = parcels.reduce((sum, each) => sum + each, 0)
    return { status: effects > 0 ? 'COMPLETED' : 'CREATED', effects }
  }
}

test.each<[string, typeof ShopOfAttempts, readonly StepText[]]>([
  ['its first order', ShopOfAttempts, ['create', 'submit the cart again', 'a minute passes', 'pay']],
  ['none', ShopOfCarts, ['create', 'decline', 'submit the cart again', 'a minute passes']],
])('of a cart that is submitted twice, only what the story says is paid: %s', async (_, shop, acts) => {
  const { emulator, open } = await shops()
  const opened = await open(shop)
  const { stories } = await playStories(emulator, opened.config, [
    { name: 'cart', promise: 'released-once', acts },
  ])
  expect(stories).toMatchObject([{ verdict: 'PASS', broken: null }])
  expect(opened.purchases.size).toBeGreaterThan(1)
  const left = await opened.client.orders.list({ orderStatus: 'CREATED', kind: 'checkout' })
  expect(left).toEqual([])
  expect(await opened.client.scenarios.planned()).toEqual([])
})
