import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Given } from '../../../src/conform/index.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Sells at a price that a step may spoil. */
class PricedShop extends ModelShop {
  override async buy({ text, amount }: Given) {
    const requestId = this.newPurchase()
    await this.create(requestId, text, this.priceOf(amount))
    return requestId
  }

  priceOf(amount: string): string {
    return amount
  }
}

/** A shop that writes its prices in some way. */
const writing = (priceOf: (amount: string) => string) =>
  class extends PricedShop {
    override priceOf(amount: string) {
      return priceOf(amount)
    }
  }

test.concurrent.each([
  ['as they came', PricedShop],
  ['with two decimals', writing((amount) => Number(amount).toFixed(2))],
  ['without needless zeros', writing((amount) => String(Number(amount)))],
])('passes an application that sends amounts %s', async (_, shop) => {
  const report = await world.run(await world.open(shop), ['K48'])
  expect(resultOf(report, 'K48')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent.each([
  [
    'cuts cents off',
    writing((amount) => String(Math.trunc(Number(amount) * 100) / 100)),
    'It was asked for an order of 19.99, and sent the fiatAmount "19.98".',
  ],
  [
    'groups thousands',
    writing((amount) => Number(amount).toLocaleString('en', { minimumFractionDigits: 2 })),
    'It was asked for an order of 1000000.00, and sent the fiatAmount "1,000,000.00".',
  ],
  [
    'writes exponents',
    writing((amount) => (Number(amount) < 1e6 ? amount : Number(amount).toExponential())),
    'It was asked for an order of 1000000.00, and sent the fiatAmount "1e+6".',
  ],
])('fails one that %s', async (_, shop, did) => {
  const report = await world.run(await world.open(shop), ['K01', 'K48'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K48')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'altered', did } })
})

test.concurrent('fails one that signs another text than it sends', async () => {
  class Unsigned extends PricedShop {
    override async call(path: string, body?: object, headers: Record<string, string> = {}) {
      const isWhole = body !== undefined && 'fiatAmount' in body && body.fiatAmount === '10'
      return super.call(path, body, isWhole ? { ...headers, signature: 'of 10.00' } : headers)
    }
  }
  const report = await world.run(await world.open(Unsigned), ['K48'])
  expect(resultOf(report, 'K48')).toMatchObject({
    verdict: 'FAIL',
    finding: { defect: 'refused', did: expect.stringMatching(/^Its create call for 10 was answered 401: /) },
  })
})

/** Sells nothing that costs one of some amounts. */
const refusing = (...amounts: readonly string[]) =>
  class extends PricedShop {
    override priceOf(amount: string) {
      if (amounts.includes(amount)) throw new Error('too expensive')
      return amount
    }
  }

test.concurrent('passes one that sells nothing for a million, and says so', async () => {
  const report = await world.run(await world.open(refusing('1000000.00')), ['K48'])
  expect(resultOf(report, 'K48')).toMatchObject({
    verdict: 'PASS',
    note: 'It accepts no orders of 1000000.00.',
  })
})

test.concurrent('is not seen where none of the amounts is sold', async () => {
  const shop = refusing('19.99', '0.29', '1.10', '4.35', '1000000.00', '10')
  const report = await world.run(await world.open(shop), ['K48'])
  expect(resultOf(report, 'K48').note).toContain('created no order for any of these amounts')
})

test.concurrent('is not seen without {amount} in the start call', async () => {
  const report = await world.run(await world.open(ModelShop), ['K48'])
  expect(resultOf(report, 'K48')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('put {amount} into the call of `start`'),
    needs: ['start'],
  })
})
