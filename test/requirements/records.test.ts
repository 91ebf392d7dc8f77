import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import { lookups } from '../support/operations.ts'
import { startReceiver } from '../support/receiver.ts'

const failure9004 = {
  errorCode: '9004',
  errorDesc: 'Error occurred while the payment was processed by the payment partner',
}

/** Creates an order with metadata, lets its life go by, and looks it up in both ways. */
async function recordsAfter(by: string, scenario = 'happy') {
  const { c1 } = await startFixture({ defaultScenario: scenario })
  await c1.createCheckout(c1.checkout('r1', { email: 'payer@example.com', metadata: { a: 1 } }))
  await c1.advance(by)
  return { fiat: (await c1.fiatOrders('r1')).record, crypto: (await c1.cryptoOrders('r1')).record }
}

const lives = [
  ['CREATED', '0s', 'happy'],
  ['CREATED', '3s', 'happy'],
  ['COMPLETED', '10s', 'happy'],
  ['FAILED', '10s', 'fail-9004'],
] as const

const cryptoTypes: Readonly<Record<string, string>> = {
  orderId: 'string',
  orderStatus: 'string',
  updatedTs: 'number',
  orderType: 'string',
  requestId: 'string',
  clientId: 'string',
  paymentStatus: 'string',
  receivedAmount: 'string',
  payersEmail: 'string',
  settlementStatus: 'string',
  txnHash: 'string',
  cryptoCurId: 'string',
  cryptoAmount: 'string',
  metadata: 'object',
  errorReason: 'object',
}

const fiatTypes: Readonly<Record<string, string>> = {
  orderId: 'string',
  orderStatus: 'string',
  userAddress: 'string',
  updatedTs: 'number',
  partner: 'string',
  orderType: 'string',
  requestId: 'string',
  clientId: 'string',
  exchangeCurId: 'string',
  exchangeAmount: 'string',
  paymentMethod: 'string',
  errorReason: 'object',
}

/** Each field's type, as `typeof` says, with null separate from objects. */
const typesOf = (record: JsonObject) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value === null ? 'null' : typeof value]),
  )

describe('1e: crypto records', () => {
  test.each(lives)(
    'R68: a record that is %s after %s of %s has only the listed members',
    async (status, ...life) => {
      const { crypto } = await recordsAfter(...life)
      expect(crypto.orderStatus).toBe(status)
      expect(cryptoTypes).toMatchObject(typesOf(crypto))
    },
  )

  test('R68: a completed record has every listed member but errorReason', async () => {
    const { crypto } = await recordsAfter('10s')
    const { errorReason: _, ...always } = cryptoTypes
    expect(typesOf(crypto)).toEqual(always)
  })

  test('R69: the orderType of a checkout order is CHECKOUT', async () => {
    expect((await recordsAfter('10s')).crypto.orderType).toBe('CHECKOUT')
  })

  test('R70: payersEmail is the e-mail', async () => {
    expect((await recordsAfter('0s')).crypto.payersEmail).toBe('payer@example.com')
  })

  test('R72: a completed order shows a completed payment, and a settlement that was not required', async () => {
    expect((await recordsAfter('10s')).crypto).toMatchObject({
      orderStatus: 'COMPLETED',
      paymentStatus: 'COMPLETED',
      settlementStatus: 'NOT_REQUIRED',
    })
  })
})

describe('1e: errorReason', () => {
  test.each(lives)('R73, R79: of an order that is %s after %s of %s', async (status, ...life) => {
    const { fiat, crypto } = await recordsAfter(...life)
    for (const record of [fiat, crypto]) {
      expect(record.orderStatus).toBe(status)
      expect(Object.hasOwn(record, 'errorReason')).toBe(status === 'FAILED')
    }
  })

  test('R74: it is a code and a description, both texts', async () => {
    const { fiat, crypto } = await recordsAfter('10s', 'fail-9004')
    expect([fiat.errorReason, crypto.errorReason]).toEqual([failure9004, failure9004])
  })
})

describe('1e: fiat records', () => {
  test.each(lives)(
    'R75: a record that is %s after %s of %s has exactly the listed members',
    async (status, ...life) => {
      const { fiat } = await recordsAfter(...life)
      const { errorReason, ...always } = fiatTypes
      expect(typesOf(fiat)).toEqual(status === 'FAILED' ? { ...always, errorReason } : always)
    },
  )

  test('R76: userAddress is the e-mail', async () => {
    expect((await recordsAfter('0s')).fiat.userAddress).toBe('payer@example.com')
  })

  test('R77: the orderType is CHECKOUT, of checkouts and subscriptions', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    await c1.createSubscription('r2')
    for (const requestId of ['r1', 'r2']) {
      expect((await c1.fiatOrders(requestId)).record.orderType).toBe('CHECKOUT')
    }
  })

  test('R78: partner, exchangeCurId, exchangeAmount and paymentMethod are texts', async () => {
    const { fiat } = await recordsAfter('0s')
    for (const member of ['partner', 'exchangeCurId', 'exchangeAmount', 'paymentMethod']) {
      expect(fiat[member]).toSatisfy((value) => typeof value === 'string' && value !== '')
    }
  })
})

describe('1e: states', () => {
  test('R84: nothing but the printed statuses appears by default', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    const seen: string[] = []
    const note = (text: string) =>
      seen.push(...[...text.matchAll(/"(\w*[sS]tatus)":("[^"]*"|[^,}]*)/g)].map(([member]) => member))
    note((await c1.createCheckout('r1')).text)
    note((await c1.createCheckout(c1.checkout('r2', { fiatAmount: '90.04' }))).text)
    note((await c1.createSubscription('r3')).text)
    for (const by of ['0s', '1s', '1s', '1s', '1s', '1s', '1h']) {
      await c1.advance(by)
      for (const { call } of lookups) {
        for (const requestId of ['r1', 'r2', 'r3']) note((await call(c1, requestId)).text)
      }
    }
    for (const { text } of receiver.requests) note(text)
    expect(new Set(seen)).toEqual(
      new Set([
        '"status":"CREATED"',
        '"orderStatus":"CREATED"',
        '"orderStatus":"COMPLETED"',
        '"orderStatus":"FAILED"',
        '"paymentStatus":"CREATED"',
        '"paymentStatus":"COMPLETED"',
        '"paymentStatus":"FAILED"',
        '"settlementStatus":"NOT_REQUIRED"',
      ]),
    )
  })
})
