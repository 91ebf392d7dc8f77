import { describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { startReceiver } from '../support/receiver.ts'

const failure = { errorCode: '9006.1', errorDesc: 'There was an issue with Refund transaction.' }

/** An order r1 of 10.00 under a scenario, two minutes after its creation. */
async function twoMinutesUnder(scenario: string, settings = {}): Promise<Fixture> {
  const fixture = await startFixture({ defaultScenario: scenario, settings })
  expectStatus(await fixture.c1.createCheckout('r1'), 200)
  await fixture.c1.advance('2m')
  return fixture
}

async function refundOf({ emulator, c1 }: Fixture, body: object) {
  const { orderId } = await c1.order('r1')
  return emulator.send(`/_emulator/orders/${orderId}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
}

describe('1e: refund records', () => {
  test('R80, R82, R83: a refund has four members, its status is REFUND_INITIATED, its amount a text', async () => {
    const { c1 } = await twoMinutesUnder('refund-initiated')
    const { record } = await c1.refunds('r1')
    expect(record).toEqual({
      requestId: 'r1',
      refundId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fiatAmount: '10.00',
      status: 'REFUND_INITIATED',
    })
  })

  test('R14: the amount of a refund is a text, of parts too', async () => {
    const { c1 } = await twoMinutesUnder('refund-partial-twice')
    expect((await c1.refunds('r1')).data.map(({ fiatAmount }) => fiatAmount)).toEqual(['3.00', '2.50'])
  })

  test('R81: a failed refund is told beside the list, not in the element', async () => {
    const { c1 } = await twoMinutesUnder('refund-failed')
    const { json, record } = await c1.refunds('r1')
    expect(Object.keys(json)).toEqual(['data', 'errorReason'])
    expect(json.errorReason).toEqual(failure)
    expect(record).not.toHaveProperty('errorReason')
  })

  test('R84: a refund changes nothing on the order', async () => {
    const { c1 } = await twoMinutesUnder('refund-failed')
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
    expect((await c1.fiatOrders('r1')).record).not.toHaveProperty('errorReason')
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({ orderStatus: 'COMPLETED' })
  })
})

describe('1e: money that came short', () => {
  test.each([
    ['underpaid-failed', '5.00000000', 'FAILED'],
    ['underpaid-ok', '9.90000000', 'COMPLETED'],
    ['overpaid', '11.00000000', 'COMPLETED'],
  ])('R71: under %s receivedAmount is %s, and the order %s', async (scenario, received, status) => {
    const { c1 } = await twoMinutesUnder(scenario)
    expect((await c1.cryptoOrders('r1')).record).toMatchObject({
      receivedAmount: received,
      cryptoAmount: '10.00000000',
      orderStatus: status,
      paymentStatus: 'COMPLETED',
    })
  })
})

describe('N63: refunds by hand', () => {
  test('N63: several parts until all is refunded, and not a cent more', async () => {
    const fixture = await twoMinutesUnder('happy')
    for (const fiatAmount of ['9', '0.99', '0.01']) expectStatus(await refundOf(fixture, { fiatAmount }), 201)
    const answer = await refundOf(fixture, { fiatAmount: '0.01' })
    expectStatus(answer, 409)
    expect(answer.text).toContain('0.01 is more than the 0.00 of the order that is left to refund.')
    expect(answer.json).toMatchObject({ error: { code: 'refund_too_high' } })
    expect((await fixture.c1.refunds('r1')).data).toHaveLength(3)
  })

  test('N62: of several failures the latest is told', async () => {
    const fixture = await twoMinutesUnder('happy')
    await refundOf(fixture, { fiatAmount: '1', outcome: 'failed' })
    expect((await fixture.c1.refunds('r1')).json.errorReason).toEqual(failure)
    await refundOf(fixture, { fiatAmount: '1', outcome: 'failed', errorCode: '9999' })
    await refundOf(fixture, { fiatAmount: '1' })
    const { json, data } = await fixture.c1.refunds('r1')
    expect(json.errorReason).toMatchObject({ errorCode: '9999' })
    expect(data).toHaveLength(3)
  })

  test('N62: of the failures on several charges the latest is told, whichever charge it was on', async () => {
    const { c1, emulator } = await startFixture()
    await c1.createSubscription('r1')
    await c1.advance('P2M')
    const charges = (await c1.fiatOrders('r1')).data.toReversed()
    for (const [index, { orderId }] of charges.entries()) {
      const body = { fiatAmount: '1', outcome: 'failed', errorCode: `900${index}` }
      await emulator.control(`/orders/${orderId}/refunds`, 'POST', body)
      await c1.advance('1s')
    }
    expect((await c1.refunds('r1')).json.errorReason).toMatchObject({ errorCode: '9001' })
  })

  test.each(['never-pays', 'fail-9004'])('N63: under %s there is nothing to refund', async (scenario) => {
    const answer = await refundOf(await twoMinutesUnder(scenario), { fiatAmount: '1' })
    expectStatus(answer, 409)
    expect(answer.json).toMatchObject({ error: { code: 'not_completed' } })
  })

  test.each([
    [{}, 'fiatAmount'],
    [{ fiatAmount: 1 }, 'in quotes'],
    [{ fiatAmount: '1.005' }, 'two decimals'],
    [{ fiatAmount: '-1' }, 'two decimals'],
    [{ fiatAmount: '0.00' }, 'greater than zero'],
    [{ fiatAmount: '1', errorCode: '9006.1' }, 'outcome'],
    [{ fiatAmount: '1', outcome: 'faild' }, 'failed'],
    [{ amount: '1' }, 'unknown key'],
  ])('N63: a refund %j is refused: %s', async (body, words) => {
    const fixture = await twoMinutesUnder('happy')
    const answer = await refundOf(fixture, body)
    expectStatus(answer, 400)
    expect(answer.text).toContain(words)
    expect((await fixture.c1.refunds('r1')).data).toEqual([])
  })

  test('N63: of ten refunds of a third at once three are made', async () => {
    const fixture = await twoMinutesUnder('happy')
    const all = await Promise.all(Array.from({ length: 10 }, () => refundOf(fixture, { fiatAmount: '3.33' })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, ...Array(7).fill(409)])
  })

  test('N64c: refunds of several charges are listed oldest first', async () => {
    const { c1, emulator } = await startFixture({ defaultScenario: 'sub-trial-monthly' })
    await c1.createSubscription('r1')
    await c1.advance('P3M')
    const { data } = await c1.fiatOrders('r1')
    for (const [charge, fiatAmount] of [
      [0, '0.10'],
      [2, '0.20'],
      [0, '0.30'],
    ] as const) {
      await c1.advance('1h')
      await emulator.control(`/orders/${data[charge]?.orderId}/refunds`, 'POST', { fiatAmount })
    }
    expect((await c1.refunds('r1')).data.map(({ fiatAmount }) => fiatAmount)).toEqual([
      '0.10',
      '0.20',
      '0.30',
    ])
  })

  test('N43: no webhook tells of a refund, unless the settings want one', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url, defaultScenario: 'refund-initiated' })
    await c1.createCheckout('r1')
    await c1.advance('2m')
    expect(receiver.requests).toHaveLength(2)
    await c1.change({ settings: { webhook: { refunds: 'event' } } })
    await c1.createCheckout('r2')
    await c1.advance('2m')
    expect(receiver.requests.slice(2).map(({ json }) => json.orderStatus)).toEqual([
      'CREATED',
      'COMPLETED',
      'REFUND_INITIATED',
    ])
  })
})
