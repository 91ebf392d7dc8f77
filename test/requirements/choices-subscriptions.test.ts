import { describe, expect, test } from 'vitest'
import { type Fixture, startFixture, startTestEmulator } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

const dayMs = 86_400_000

async function cancel({ emulator }: Pick<Fixture, 'emulator'>, requestId: string, query = '') {
  return emulator.send(`/_emulator/subscriptions/${requestId}/cancel${query}`, { method: 'POST' })
}

describe('N64j: the life of a subscription', () => {
  test('N64j, N42: seven months at once are a trial and six charges under one requestId, told in order', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url, defaultScenario: 'sub-trial-monthly' })
    expectStatus(await c1.createSubscription('r1'), 200)
    const created = await c1.now()
    const ledger = await c1.advance('P7M')
    const { data } = await c1.fiatOrders('r1')
    expect(data.map(({ orderStatus, requestId }) => `${requestId} ${orderStatus}`)).toEqual(
      Array(6).fill('r1 COMPLETED'),
    )
    expect(new Set(data.map(({ orderId }) => orderId)).size).toBe(6)
    // Authorised on 21 April, so charged on the 28th of each month.
    const days = ledger.transitions
      .filter(({ what, to }) => what === 'order' && to === 'COMPLETED')
      .map(({ at }) => (at - created - 2_000) / dayMs)
    expect(days).toEqual([7, 37, 68, 98, 129, 160])
    const told = receiver.requests.map(({ json }) => `${json.orderId} ${json.orderStatus}`)
    expect(told).toEqual(data.flatMap(({ orderId }) => [`${orderId} CREATED`, `${orderId} COMPLETED`]))
  })

  test('N64j: a month that is too short takes its last day, and the next one is not shortened by it', async () => {
    const emulator = await startTestEmulator({ startTime: '2028-01-31T23:29:58-03:00' })
    const client = await emulator.addClient({ defaultScenario: 'sub-month-end' })
    await client.createSubscription('r1')
    const { transitions } = await client.advance('P4M')
    const dates = transitions
      .filter(({ what }) => what === 'order')
      .map(({ at }) => new Date(at - 3 * 3_600_000).toISOString().slice(0, 16))
    expect(dates).toEqual(['2028-01-31T23:30', '2028-02-29T23:30', '2028-03-31T23:30', '2028-04-30T23:30'])
  })

  test('N64j: the trial that the request names goes before that of the file', async () => {
    const { c1 } = await startFixture({ defaultScenario: 'sub-trial-monthly' })
    await c1.createSubscription(c1.subscription('r1', { trialPeriodDays: '3' }))
    const { transitions } = await c1.advance('4d')
    expect(transitions.map(({ what }) => what)).toEqual(['payment', 'order'])
  })

  test('N64j: a charge that fails keeps no later one from coming', async () => {
    const { c1 } = await startFixture({ defaultScenario: 'sub-month3-fails' })
    await c1.createSubscription('r1')
    await c1.advance('P7M')
    const { data } = await c1.fiatOrders('r1')
    expect(data.map(({ orderStatus }) => orderStatus)).toEqual([
      ...['COMPLETED', 'COMPLETED', 'FAILED', 'COMPLETED', 'COMPLETED', 'COMPLETED'],
    ])
    expect(data[2]).toMatchObject({ errorReason: { errorCode: '9004' } })
  })

  test('N64j: under happy charges go on until somebody cancels', async () => {
    const fixture = await startFixture()
    await fixture.c1.createSubscription('r1')
    await fixture.c1.advance('P2M')
    expectStatus(await cancel(fixture, 'r1'), 200)
    expect((await fixture.c1.advance('P1Y')).nextDueAt).toBeNull()
    expect((await fixture.c1.fiatOrders('r1')).data).toHaveLength(2)
    const again = await cancel(fixture, 'r1')
    expectStatus(again, 409)
    expect(again.json).toMatchObject({ error: { code: 'subscription_is_cancelled' } })
  })

  test.each([
    ['before it is authorised', '1s', 'happy'],
    ['within the trial', '2d', 'happy'],
    ['within the trial', '2d', 'sub-trial-monthly'],
  ])('N64j: cancelled %s (after %s, under %s), not even the first charge comes', async (_, by, scenario) => {
    const fixture = await startFixture({ defaultScenario: scenario })
    const { c1 } = fixture
    await c1.createSubscription(c1.subscription('r1', { trialPeriodDays: '3' }))
    await c1.advance(by)
    const { text } = await c1.fiatOrders('r1')
    expectStatus(await cancel(fixture, 'r1'), 200)
    expect((await c1.advance('P1Y')).transitions).toEqual([])
    expect((await c1.fiatOrders('r1')).text).toBe(text)
  })

  test('N64j: who pays for a subscription that is cancelled already begins no charges', async () => {
    const fixture = await startFixture({ settings: { 'orders.autopay': 'never' } })
    await fixture.c1.createSubscription('r1')
    await cancel(fixture, 'r1')
    await fixture.c1.pay('r1', 'completed')
    expect((await fixture.c1.advance('P1Y')).nextDueAt).toBeNull()
    expect((await fixture.c1.fiatOrders('r1')).data).toHaveLength(1)
  })

  test('N64j: who cancels names the client where several have the requestId', async () => {
    const fixture = await startFixture()
    await fixture.c1.createSubscription('r1')
    await fixture.c2.createSubscription('r1')
    const answer = await cancel(fixture, 'r1')
    expectStatus(answer, 409)
    expect(answer.text).toContain('?clientId=')
    expectStatus(await cancel(fixture, 'r1', '?clientId=C2'), 200)
    expect(await fixture.c1.order('r1')).toMatchObject({ subscription: { cancelled: false } })
  })

  test.each(['r1', 'r2'])('N64j: cancelling %s, which is no subscription, is 404', async (requestId) => {
    const fixture = await startFixture()
    await fixture.c1.createCheckout('r1')
    expectStatus(await cancel(fixture, requestId), 404)
  })

  test.each([
    ['DAILY', 1],
    ['WEEKLY', 7],
    ['QUARTERLY', 91],
    ['YEARLY', 365],
  ])('N25: switched on, %s charges come after %i days', async (interval, days) => {
    const { c1 } = await startFixture({ settings: { subscription: { intervals: ['MONTHLY', interval] } } })
    expectStatus(await c1.createSubscription(c1.subscription('r1', { interval })), 200)
    await c1.advance('5s')
    const { now, nextDueAt } = await c1.advance('0s')
    expect(nextDueAt).toBe(now - 3_000 + days * dayMs)
  })

  test('N64j: nobody authorises a subscription that waits for its payer, and no charge comes', async () => {
    const { c1 } = await startFixture()
    await c1.createSubscription(c1.subscription('r1', { mode: 'returnUrl' }))
    expect((await c1.advance('P1Y')).transitions).toEqual([])
    await c1.pay('r1', 'completed')
    await c1.advance('P1M')
    expect((await c1.fiatOrders('r1')).data).toHaveLength(2)
  })
})

describe('N64i: orders that no create call makes', () => {
  const make = ({ emulator }: Pick<Fixture, 'emulator'>, body: object) =>
    emulator.send('/_emulator/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })

  test.each([
    ['payout', 'PAYOUT', 1, 1],
    ['crypto-payin', 'CRYPTOPAYIN', 0, 1],
    ['checkout', 'CHECKOUT', 1, 1],
    ['subscription', 'CHECKOUT', 1, 1],
  ])('N64i: a %s is a %s with %i fiat records and %i crypto records', async (kind, type, fiat, crypto) => {
    const receiver = await startReceiver()
    const fixture = await startFixture({ webhookUrl: receiver.url })
    expectStatus(await make(fixture, { clientId: 'C1', kind, requestId: 'r1' }), 201)
    await fixture.c1.advance('1m')
    expect((await fixture.c1.fiatOrders('r1')).data).toHaveLength(fiat)
    expect((await fixture.c1.cryptoOrders('r1')).data).toHaveLength(crypto)
    expect((await fixture.c1.cryptoOrders('r1')).record).toMatchObject({
      orderType: type,
      orderStatus: 'COMPLETED',
      txnHash: expect.stringMatching(/^0x/),
    })
    expect(receiver.requests.map(({ json }) => `${json.orderType} ${json.orderStatus}`)).toEqual([
      `${type} CREATED`,
      `${type} COMPLETED`,
    ])
    expect((await fixture.c1.refunds('r1')).data).toEqual([])
  })

  test('N64i: the scenario can be named, and the order says who chose it', async () => {
    const fixture = await startFixture()
    const { json } = await make(fixture, { clientId: 'C1', kind: 'payout', scenario: 'payout-failed' })
    expect(json).toMatchObject({ scenario: { id: 'payout-failed', why: 'control API' } })
    await fixture.c1.advance('1m')
    expect((await fixture.c1.fiatOrders(String(json.requestId))).record).toMatchObject({
      orderType: 'PAYOUT',
      orderStatus: 'FAILED',
    })
  })

  test.each([
    [{}, 400, 'clientId'],
    [{ clientId: 'C9' }, 404, 'C9'],
    [{ clientId: 'C1', kind: 'payuot' }, 400, 'payout'],
    [{ clientId: 'C1', scenario: 'hapy' }, 404, 'happy'],
    [{ clientId: 'C1', scenario: 'payout-ok' }, 400, 'is for payout'],
    [{ clientId: 'C1', fiatAmount: '0' }, 400, 'greater than zero'],
    [{ clientId: 'C1', interval: 'MONTHLY' }, 400, 'subscription'],
    [{ clientId: 'C1', reqestId: 'r1' }, 400, 'requestId'],
    [{ clientId: 'C1', requestId: 'taken' }, 409, 'taken'],
  ])('N64i: %j is refused with %i and the word %s', async (body, status, words) => {
    const fixture = await startFixture()
    await fixture.c1.createCheckout('taken')
    const answer = await make(fixture, body)
    expectStatus(answer, status)
    expect(answer.text).toContain(words)
    expect((await fixture.emulator.control('/orders')).items).toHaveLength(1)
  })
})
