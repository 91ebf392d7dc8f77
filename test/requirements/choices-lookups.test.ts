import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/emulator.ts'
import { expectInvalid } from '../support/expect.ts'
import { lookups } from '../support/operations.ts'
import { startReceiver } from '../support/receiver.ts'

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('records', () => {
  test.each([
    ['always', 1, 1],
    ['after-payment', 0, 1],
    ['never', 0, 0],
  ])(
    'N57: under cryptoLeg %s the crypto lookup has %i records before the payment, %i after',
    async (cryptoLeg, before, after) => {
      const { c1 } = await startFixture({ settings: { orders: { cryptoLeg } } })
      await c1.createCheckout('r1')
      await c1.advance('1999ms')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(before)
      await c1.advance('1ms')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(after)
      await c1.advance('1h')
      expect((await c1.cryptoOrders('r1')).data).toHaveLength(after)
      expect((await c1.fiatOrders('r1')).data).toHaveLength(1)
    },
  )

  test('N57: both records have one orderId; what is not known yet is absent', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const known = async () => {
      const { record } = await c1.cryptoOrders('r1')
      return ['receivedAmount', 'txnHash'].filter((member) => Object.hasOwn(record, member))
    }
    expect(await known()).toEqual([])
    await c1.advance('2s')
    expect(await known()).toEqual(['receivedAmount'])
    await c1.advance('3s')
    expect(await known()).toEqual(['receivedAmount', 'txnHash'])
    expect((await c1.cryptoOrders('r1')).record.orderId).toBe((await c1.fiatOrders('r1')).record.orderId)
  })

  test('N58: orderId and token are different UUIDs, and only orderIds sort by time', async () => {
    const { c1 } = await startFixture()
    const ids: { orderId: string; token: string }[] = []
    for (const requestId of ['z', 'm', 'a']) {
      const { json } = await c1.createCheckout(requestId)
      ids.push({
        orderId: String((await c1.fiatOrders(requestId)).record.orderId),
        token: String(json.token),
      })
      await c1.advance('1ms')
    }
    const tokens = ids.map(({ token }) => token)
    const orderIds = ids.map(({ orderId }) => orderId)
    for (const id of orderIds) expect(id).toMatch(uuid7)
    for (const id of tokens) expect(id).toMatch(uuid4)
    expect(new Set([...tokens, ...orderIds]).size).toBe(6)
    expect(orderIds.toSorted()).toEqual(orderIds)
  })

  test('N58: or the same, if so set', async () => {
    const { c1 } = await startFixture({ settings: { orders: { orderIdEqualsToken: true } } })
    const { json } = await c1.createCheckout('r1')
    expect((await c1.fiatOrders('r1')).record.orderId).toBe(json.token)
  })

  test('N59, N60: what an order of the default scenario shows, moment by moment', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout('r1')
    const shown: unknown[] = []
    for (const by of ['1999ms', '1ms', '2999ms', '1ms', '30d']) {
      await c1.advance(by)
      const { record } = await c1.cryptoOrders('r1')
      shown.push([record.orderStatus, record.paymentStatus, record.settlementStatus])
    }
    expect(shown).toEqual([
      ['CREATED', 'CREATED', 'NOT_REQUIRED'],
      ['CREATED', 'COMPLETED', 'NOT_REQUIRED'],
      ['CREATED', 'COMPLETED', 'NOT_REQUIRED'],
      ['COMPLETED', 'COMPLETED', 'NOT_REQUIRED'],
      ['COMPLETED', 'COMPLETED', 'NOT_REQUIRED'],
    ])
  })

  test('N60: on a running clock it happens by itself', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url }, { clock: '1000x' })
    await c1.createCheckout('r1')
    const told = (await receiver.received(2)).map(({ json }) => json.orderStatus)
    expect(told).toEqual(['CREATED', 'COMPLETED'])
    expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('COMPLETED')
  })

  test.each([
    ['omit', '{"data":[]}'],
    ['null', '{"data":[],"errorReason":null}'],
    ['empty', '{"data":[],"errorReason":{}}'],
  ])('N62: under errorReasonWhenNone %s the refund lookup answers %s', async (errorReasonWhenNone, text) => {
    const { c1 } = await startFixture({ settings: { refunds: { errorReasonWhenNone } } })
    expect((await c1.refunds('r1')).text).toBe(text)
  })

  test.each(lookups)('N64d: a query parameter given twice is refused by the $name', async ({ path }) => {
    const { c1, emulator } = await startFixture()
    await c1.createCheckout('r1')
    for (const [query, field] of [
      ['requestId=r1&requestId=r2&clientId=C1', 'requestId'],
      ['requestId=r1&clientId=C1&clientId=C1', 'clientId'],
      ['requestId=r1&clientId=C1&clientId=C2', 'clientId'],
    ] as const) {
      const headers = { 'access-token': 'T1' }
      expectInvalid(await emulator.send(`${path}?${query}`, { method: 'GET', headers }), field)
    }
  })

  test.each(['happy', 'happy-instant', 'fail-9004'])(
    'N64e: updatedTs moves at each change of %s, never back',
    async (defaultScenario) => {
      const { c1 } = await startFixture({ defaultScenario })
      await c1.createCheckout('r1')
      const seen = new Map<string, unknown>()
      const moments: number[] = []
      for (let ms = 0; ms <= 6_000; ms += 500) {
        const { record } = await c1.cryptoOrders('r1')
        const state = JSON.stringify([record.orderStatus, record.paymentStatus])
        if (!seen.has(state)) moments.push(Number(record.updatedTs))
        seen.set(state, seen.get(state) ?? record.updatedTs)
        expect(record.updatedTs).toBe(seen.get(state))
        await c1.advance('500ms')
      }
      expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b))
      expect(moments.length).toBeGreaterThan(1)
    },
  )

  test('N64f, N64g, N64h: partner, exchange and hash', async () => {
    const { c1 } = await startFixture()
    await c1.createCheckout(c1.checkout('r1', { fiatAmount: '10.5', currencyId: 'eur_de' }))
    await c1.advance('10s')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({
      partner: 'sandbox-partner',
      exchangeCurId: 'eur_de',
      exchangeAmount: '10.5',
    })
    expect((await c1.cryptoOrders('r1')).record.txnHash).toMatch(/^0x[0-9a-f]{64}$/)
  })

  test.each([
    ['10', 'usd_us', 'USDT', '10.00000000'],
    ['0.01', 'usd_us', 'USDT', '0.01000000'],
    ['90071992547409931.10', 'usd_us', 'USDT', '90071992547409931.10000000'],
    ['10.00', 'brl_br', 'USDC', '1.85000000'],
    ['0.03', 'brl_br', 'USDC', '0.00555000'],
  ])('N66: the crypto side of %s %s is %s %s', async (fiatAmount, currencyId, cryptoCurId, cryptoAmount) => {
    const catalog = [{ match: 'brl_*', cryptoAsset: 'USDC', rate: '0.185' }]
    const { c1 } = await startFixture({ settings: { currencies: { catalog } } })
    await c1.createCheckout(c1.checkout('r1', { fiatAmount, currencyId }))
    await c1.advance('10s')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      cryptoCurId,
      cryptoAmount,
      receivedAmount: cryptoAmount,
    })
  })
})
