import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Given } from '../../../src/conform/index.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Makes one order for each cart, however often a customer submits it. */
class CartShop extends ModelShop {
  readonly orderOf = new Map<string, string>()

  override async buy({ cart, text }: Given) {
    const known = this.orderOf.get(cart)
    if (known !== undefined) return known
    const requestId = this.newPurchase()
    this.orderOf.set(cart, requestId)
    await this.create(requestId, text)
    return requestId
  }
}

/** Makes an order each time. */
class OrderPerClick extends ModelShop {
  readonly cartOf = new Map<string, string>()

  override async buy({ cart, text }: Given) {
    const requestId = this.newPurchase()
    this.cartOf.set(requestId, cart)
    await this.create(requestId, text)
    return requestId
  }
}

/** Releases once for each cart. */
class ParcelPerCart extends OrderPerClick {
  readonly paidTwice = new Set<string>()
  readonly #released = new Map<string, string>()

  override act(requestId: string, record: FiatRecord) {
    const cart = this.cartOf.get(requestId) ?? ''
    if (record.orderStatus !== 'COMPLETED') return super.act(requestId, record)
    if (!this.#released.has(cart)) this.#released.set(cart, requestId)
    if (this.#released.get(cart) === requestId) return super.act(requestId, record)
    this.paidTwice.add(requestId)
  }
}

test.concurrent('passes an application that knows the cart again', async () => {
  const report = await world.run(await world.open(CartShop), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that releases once, and shows the second payment', async () => {
  class Visible extends ParcelPerCart {
    override show(requestId: string) {
      const shown = super.show(requestId)
      return shown !== null && this.paidTwice.has(requestId) ? { ...shown, status: 'PAID_TWICE' } : shown
    }
  }
  const report = await world.run(await world.open(Visible), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one that sells the cart twice', async () => {
  const report = await world.run(await world.open(OrderPerClick), ['K01', 'K45'])
  expect(resultOf(report, 'K45')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'second-order', did: expect.stringMatching(/it fulfilled both\.$/) },
  })
})

test.concurrent('warns of one that keeps the second payment to itself', async () => {
  const report = await world.run(await world.open(ParcelPerCart), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'second-order',
      did: expect.stringMatching(/of the (first|second) it said "CREATED"/),
    },
  })
})

test.concurrent('warns of one that knows the cart again, but not the order of the lost answer', async () => {
  class Forgetful extends CartShop {
    override async create(requestId: string, text: string) {
      try {
        return await super.create(requestId, text)
      } catch (error) {
        this.purchases.delete(requestId)
        throw error
      }
    }
  }
  const report = await world.run(await world.open(Forgetful), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test.concurrent('warns of one that writes the cart down once its order is created', async () => {
  class WritesLate extends CartShop {
    override async buy({ cart, text }: Given) {
      const known = this.orderOf.get(cart)
      if (known !== undefined) return known
      const requestId = this.newPurchase()
      await this.create(requestId, text).finally(() => this.orderOf.set(cart, requestId))
      return requestId
    }
  }
  const report = await world.run(await world.open(WritesLate), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'second-order', did: expect.stringContaining('clicked twice') },
  })
})

test.concurrent('warns of one that repeats a lost create call under a new name', async () => {
  class NewNames extends OrderPerClick {
    override async buy(given: Given) {
      try {
        return await super.buy(given)
      } catch {
        return super.buy(given)
      }
    }
  }
  const report = await world.run(await world.open(NewNames), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'WARN', finding: { defect: 'second-order' } })
})

test.concurrent('passes one that lets the second click wait for the first', async () => {
  class OneAtATime extends CartShop {
    #before: Promise<unknown> = Promise.resolve()
    override buy(given: Given) {
      const bought = this.#before.then(() => super.buy(given))
      this.#before = bought.catch(() => undefined)
      return bought
    }
  }
  const report = await world.run(await world.open(OneAtATime), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that refuses the second click', async () => {
  class Refusing extends CartShop {
    readonly #busy = new Set<string>()
    override async buy(given: Given) {
      if (this.#busy.has(given.cart)) throw new Error('409: your order is being made')
      this.#busy.add(given.cart)
      return super.buy(given).finally(() => this.#busy.delete(given.cart))
    }
  }
  const report = await world.run(await world.open(Refusing), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  class IdleCarts extends Idle {
    override buy({ cart, ...given }: Given) {
      return super.buy({ ...given, text: cart })
    }
  }
  const report = await world.run(await world.open(IdleCarts), ['K01', 'K45'])
  expect(resultOf(report, 'K01').verdict).toBe('FAIL')
  expect(resultOf(report, 'K45').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen without {cart} in the start call', async () => {
  const report = await world.run(await world.open(ModelShop), ['K45'])
  expect(resultOf(report, 'K45')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('put {cart} into the call of `start`'),
    needs: ['start'],
  })
})
