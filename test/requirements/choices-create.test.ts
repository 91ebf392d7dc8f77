import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import { startFixture } from '../support/emulator.ts'
import {
  expectInvalid,
  expectOrderExists,
  expectStatus,
  expectVerificationFailed,
} from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

describe('amounts, currencies, applications', () => {
  test.each(['0', '0.0', '00.00'])('N5: fiatAmount %j is nothing', async (fiatAmount) => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { fiatAmount })), 'fiatAmount')
  })

  test.each([
    ['jpy_jp', '10.5', 'fiatAmount'],
    ['jpy_jp', '99', 'fiatAmount'],
    ['jpy_jp', '1000.00', 'fiatAmount'],
    ['jpy_jp', '1001', 'fiatAmount'],
    ['usd_us', '500', 'currencyId'],
  ])('N3, N5: with a catalogue, %s %s is refused because of %s', async (currencyId, fiatAmount, field) => {
    const catalog = [{ match: 'jpy_*', decimals: 0, minAmount: '100', maxAmount: '1000' }]
    const { c1 } = await startFixture({ settings: { currencies: { catalog, unknown: 'refuse' } } })
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { currencyId, fiatAmount })), field)
    expectStatus(await c1.createCheckout(c1.checkout('r1', { currencyId: 'jpy_x', fiatAmount: '1000' })), 200)
  })

  test('N1, N2: with a list of applications only those are valid, and only returnAppUrl looks at it', async () => {
    const { c1 } = await startFixture({ settings: { checkout: { targetApps: ['someBank'] } } })
    const app = (targetApp: string, mode?: string) => c1.checkout(targetApp, { targetApp, mode })
    expectInvalid(await c1.createCheckout(app('other', 'returnAppUrl')), 'targetApp')
    expectStatus(await c1.createCheckout(app('someBank', 'returnAppUrl')), 200)
    expectStatus(await c1.createCheckout(app('other', 'returnUrl')), 200)
    expectStatus(await c1.createCheckout(app('INVALID_APP')), 200)
  })

  test('N7, N8: the URL stands in the member that the settings name', async () => {
    const { c1 } = await startFixture({ settings: { responses: { urlField: 'paymentUrl' } } })
    const { json } = await c1.createCheckout(
      c1.checkout('r1', { mode: 'returnAppUrl', targetApp: 'a&b=c/d' }),
    )
    expect(json).not.toHaveProperty('url')
    expect(json.paymentUrl).toBe(`paymentemulator://pay?token=${json.token}&app=a%26b%3Dc%2Fd`)
  })

  test('N4, N9: without a payment method both records of it read ALL', async () => {
    const { c1 } = await startFixture()
    expect((await c1.createCheckout('r1')).json).toHaveProperty('offerInfoData.selectedPaymentMethod', 'ALL')
    expect((await c1.fiatOrders('r1')).record.paymentMethod).toBe('ALL')
  })
})

describe('expiry', () => {
  test.each([
    [{}, '2026-04-21T16:15:00.287000+00:00'],
    [{ expiryFraction: 0 }, '2026-04-21T16:15:00+00:00'],
    [{ expiryFraction: 3, offset: '-03:00' }, '2026-04-21T13:15:00.287-03:00'],
    [{ expiryFraction: 9, offset: '+05:45' }, '2026-04-21T22:00:00.287000000+05:45'],
    [{ expiryFraction: 1, offset: '+14:00' }, '2026-04-22T06:15:00.2+14:00'],
  ])('N11, N13: under %j expiryTs reads %s', async (time, expiryTs) => {
    const { c1 } = await startFixture({ settings: { time } })
    await c1.advance('287ms')
    expect((await c1.createCheckout('r1')).json).toHaveProperty('offerInfoData.expiryTs', expiryTs)
  })

  test.each([
    ['keep', 'CREATED'],
    ['fail', 'FAILED'],
    ['abandon', 'ABANDONED'],
  ])(
    'N11, N12: with onExpiry %s an unpaid order ends as %s, at its expiry and not before',
    async (onExpiry, end) => {
      const settings = { orders: { onExpiry, expiry: '1m' } }
      const { c1 } = await startFixture({ settings, defaultScenario: 'never-pays' })
      await c1.createCheckout('r1')
      await c1.advance('59999ms')
      expect((await c1.fiatOrders('r1')).record.orderStatus).toBe('CREATED')
      await c1.advance('1ms')
      expect((await c1.fiatOrders('r1')).record.orderStatus).toBe(end)
    },
  )

  test('N12: a late payment still counts', async () => {
    const { c1 } = await startFixture({ defaultScenario: 'never-pays' })
    await c1.createCheckout('r1')
    await c1.advance('1h')
    await c1.pay('r1', 'completed')
    expect((await c1.cryptoOrders('r1')).record.paymentStatus).toBe('COMPLETED')
  })
})

describe('requestIds', () => {
  test('N14: the same request again, body and all, is a duplicate', async () => {
    const { c1 } = await startFixture()
    expectStatus(await c1.createCheckout('r1'), 200)
    for (let again = 0; again < 3; again++) expectOrderExists(await c1.createCheckout('r1'))
  })

  test('N15: of fifty creates at once exactly one makes an order', async () => {
    const receiver = await startReceiver()
    const { c1, emulator } = await startFixture({ webhookUrl: receiver.url })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? c1.createCheckout('r1') : c1.createSubscription('r1'),
      ),
    )
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(1)
    for (const answer of answers) if (!accepted.includes(answer)) expectOrderExists(answer)
    await c1.settle()
    expect(receiver.requests).toHaveLength(1)
    expect((await emulator.control('/orders')).items.map(({ token }) => token)).toEqual([
      accepted[0]?.json.token,
    ])
  })

  test('N16: two clients may use the same one, and the journal says so', async () => {
    const { c1, c2 } = await startFixture()
    await c1.createCheckout('r1')
    const second = await c2.createCheckout('r1')
    expectStatus(second, 200)
    expect((await c2.journalOf(second)).notes).toContainEqual(
      expect.stringMatching(/^requestId: another client/),
    )
  })

  test('N16: under requestIds.scope global they may not', async () => {
    const { c1, c2 } = await startFixture({}, { settings: { 'requestIds.scope': 'global' } })
    await c1.createCheckout('r1')
    expectOrderExists(await c2.createCheckout('r1'))
    expectOrderExists(await c2.createSubscription('r1'))
    expect((await c2.fiatOrders('r1')).data).toEqual([])
  })

  test('N17: a refused create does not use its requestId up', async () => {
    const { c1 } = await startFixture()
    expectVerificationFailed(await c1.createCheckout('r1', { signed: 'wrong' }))
    expectVerificationFailed(await c1.createCheckout('r1', { headers: { 'access-token': 'wrong' } }))
    expectInvalid(await c1.createCheckout(c1.checkout('r1', { lang: 'xx' })), 'lang')
    expectInvalid(await c1.createSubscription(c1.subscription('r1', { interval: 'x' })), 'interval')
    expectStatus(await c1.createCheckout('r1'), 200)
  })
})

describe('signatures', () => {
  test('N19: the journal says which form a checkout was signed in', async () => {
    const { c1 } = await startFixture()
    const short = await c1.createCheckout('r1')
    const long = await c1.createCheckout('r2', { signed: 'currencyId=usd_us&fiatAmount=10.00&requestId=r2' })
    expect((await c1.journalOf(short)).notes).toContain('signature form: short')
    expect((await c1.journalOf(long)).notes).toContain('signature form: with-currency')
  })

  test('N21: loose base64 is refused, and the journal names the mistake', async () => {
    const { c1 } = await startFixture()
    const right = c1.sign('fiatAmount=10.00&requestId=req-0001')
    const unpadded = right.replace('=', '')
    const urlSafe = right.replaceAll('+', '-').replaceAll('/', '_')
    for (const [signature, cause] of [
      [unpadded, 'signature.padding'],
      [urlSafe, 'signature.base64url'],
    ] as const) {
      const answer = await c1.createCheckout('req-0001', { headers: { signature } })
      expectVerificationFailed(answer)
      expect((await c1.journalOf(answer)).diagnosis).toHaveProperty('cause', cause)
    }
  })
})

describe('subscriptions', () => {
  const withInterval = (body: JsonObject) => ({ ...body, interval: 'MONTHLY' })

  test('N23: on the checkout path `interval` is ignored, with a warning', async () => {
    const { c1 } = await startFixture()
    const answer = await c1.createCheckout(withInterval(c1.checkout('r1')))
    expectStatus(answer, 200)
    expect((await c1.order('r1')).kind).toBe('checkout')
    expect((await c1.journalOf(answer)).notes).toContainEqual(expect.stringMatching(/interval/))
  })

  test('N23: under paths.subscription both, `interval` makes a subscription there, signed as one', async () => {
    const { c1 } = await startFixture({}, { settings: { 'paths.subscription': 'both' } })
    const body = withInterval(c1.checkout('r1'))
    expectVerificationFailed(await c1.createCheckout(body))
    const signed = 'currencyId=usd_us&fiatAmount=10.00&requestId=r1&interval=MONTHLY'
    expectStatus(await c1.createCheckout(body, { signed }), 200)
    expect((await c1.order('r1')).kind).toBe('subscription')
    expectStatus(await c1.createCheckout('r2'), 200)
    expect((await c1.order('r2')).kind).toBe('checkout')
    expectStatus(await c1.createSubscription('r3'), 200)
  })

  test.each(['currencyId', 'fiatAmount', 'email', 'requestId', 'clientId', 'interval'])(
    'N24: a subscription needs %s',
    async (member) => {
      const { c1 } = await startFixture()
      expectInvalid(await c1.createSubscription(c1.subscription('r1', { [member]: undefined })), member)
    },
  )

  test('N25: intervals that are switched on are accepted, and only those', async () => {
    const { c1 } = await startFixture({ settings: { subscription: { intervals: ['WEEKLY', 'YEARLY'] } } })
    expectStatus(await c1.createSubscription(c1.subscription('r1', { interval: 'YEARLY' })), 200)
    expectInvalid(await c1.createSubscription(c1.subscription('r2', { interval: 'MONTHLY' })), 'interval')
  })

  test('N26: a subscription is answered like a checkout', async () => {
    const { c1 } = await startFixture()
    const { json } = await c1.createSubscription('r1')
    expect(Object.keys(json)).toEqual(['requestId', 'token', 'status', 'offerInfoData'])
    expect(json.offerInfoData).toMatchObject({ totalFiatAmount: '1.00', type: 'BUY' })
  })

  test('N26: or in a compact way, if so set', async () => {
    const { c1, emulator } = await startFixture({ settings: { responses: { subscription: 'compact' } } })
    const { json, text } = await c1.createSubscription(c1.subscription('r1', { mode: 'returnUrl' }))
    const url = `${emulator.url}/pay/${json.token}`
    expect(text).toBe(`{"requestId":"r1","url":"${url}","token":"${json.token}","status":"CREATED"}`)
    expect(Object.keys((await c1.createSubscription('r2')).json)).toEqual(['requestId', 'token', 'status'])
    expect((await c1.createCheckout('r3')).json).toHaveProperty('offerInfoData')
  })

  test.each(['0', '7', '007', '365'])(
    'N27: a trial of %j days is signed as it is written',
    async (trialPeriodDays) => {
      const { c1 } = await startFixture()
      const body = c1.subscription('r1', { trialPeriodDays })
      const without = 'currencyId=usd_us&fiatAmount=1.00&requestId=r1&interval=MONTHLY'
      expectVerificationFailed(await c1.createSubscription(body, { signed: without }))
      const signed = `${without}&trialPeriodDays=${trialPeriodDays}`
      expectStatus(await c1.createSubscription(body, { signed }), 200)
    },
  )

  test.each(['366', '999', '1000', '0007'])('N27: a trial of %j days is refused', async (trialPeriodDays) => {
    const { c1 } = await startFixture()
    expectInvalid(await c1.createSubscription(c1.subscription('r1', { trialPeriodDays })), 'trialPeriodDays')
  })
})
