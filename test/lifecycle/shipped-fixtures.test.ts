import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFixtureFile } from '../../src/domain/fixture/fixture-file.ts'
import type { OrderText } from '../../src/domain/fixture/fixture-text.ts'
import type { JsonObject } from '../support/answer.ts'
import { type Ledger, TestClient } from '../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

/** The orders of a shipped fixture's only client, as written in the file. */
function told(name: string): OrderText[] {
  const read = readFixtureFile(readFileSync(`fixtures/${name}.yaml`, 'utf8'), name)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.fixture.clients.flatMap(({ orders }) => orders)
}

/** An emulator that was started with a shipped fixture, and the fixture's client, whose webhooks the receiver gets. */
async function started(
  name: string,
): Promise<{ emulator: TestEmulator; client: TestClient; receiver: Receiver }> {
  const receiver = await startReceiver()
  const file = join(aFolder(), `${name}.yaml`)
  const text = readFileSync(`fixtures/${name}.yaml`, 'utf8')
  const member = `webhookUrl: ${receiver.url}`
  const hasUrl = text.includes('webhookUrl:')
  writeFileSync(
    file,
    hasUrl ? text.replace(/webhookUrl: .*/, member) : text.replace(/- clientId: .*/, `$&\n    ${member}`),
  )
  const emulator = await startTestEmulator({ fixtures: [file] })
  const { items } = await emulator.control('/clients')
  const [first] = items
  const own = (member: string) => String(first?.[member])
  const client = new TestClient(emulator, {
    clientId: own('clientId'),
    apiSecret: own('apiSecret'),
    accessToken: own('accessToken'),
    webhookSecret: own('webhookSecret'),
  })
  return { emulator, client, receiver }
}

/** The changes of an advance, in words and without the time. */
const changes = ({ transitions }: Ledger) =>
  transitions.map(({ requestId, what, to }) => `${requestId} ${what} ${to}`)
const times = ({ transitions }: Ledger) =>
  transitions.filter(({ what }) => what === 'order').map(({ at }) => new Date(at).toISOString().slice(0, 16))
const sent = (receiver: Receiver) =>
  receiver.requests.map(
    ({ json }) =>
      `${json.requestId} ${json.orderStatus}${json.errorCode === undefined ? '' : ` ${json.errorCode}`}`,
  )

test.each(globSync('fixtures/*.yaml'))('%s is right at any time, and says what it is', (path) => {
  const read = readFixtureFile(readFileSync(path, 'utf8'), path)
  expect(read).toMatchObject({ fixture: { description: expect.any(String) } })
  expect(readFileSync(path, 'utf8')).toMatch(/^# /)
})

test('these fixtures ship', () => {
  const names = globSync('fixtures/*.yaml').map((path) => basename(path, '.yaml'))
  expect(names.toSorted()).toEqual([
    'busy-merchant',
    'empty',
    'refunds-in-every-state',
    'subscriptions-month-3',
  ])
})

test('empty: one client that can make orders', async () => {
  const { emulator, client } = await started('empty')
  expect((await emulator.control('/orders')).items).toEqual([])
  expect((await client.createCheckout('r1')).status).toBe(200)
})

describe('busy-merchant', () => {
  test('every order with a status shows it in the lookups', async () => {
    const { client } = await started('busy-merchant')
    const standing = told('busy-merchant').filter(({ status }) => status !== undefined)
    expect(standing.length).toBeGreaterThan(24)
    for (const { requestId = '', kind, status, errorCode, fiatAmount, crypto } of standing) {
      const fiat = await client.fiatOrders(requestId)
      const onCrypto = (await client.cryptoOrders(requestId)).record
      const failure = status === 'FAILED' ? { errorReason: { errorCode: errorCode ?? '9004' } } : {}
      if (kind === 'crypto-payin') expect(fiat.data).toEqual([])
      else
        expect(fiat.record).toMatchObject({
          requestId,
          orderStatus: status,
          exchangeAmount: fiatAmount,
          ...failure,
        })
      expect(onCrypto).toMatchObject({ requestId, orderStatus: crypto?.order ?? status })
      if (status === 'COMPLETED')
        expect(onCrypto).toMatchObject({ paymentStatus: 'COMPLETED', settlementStatus: 'NOT_REQUIRED' })
    }
  })

  test('the crypto lookup shows what came in', async () => {
    const { client } = await started('busy-merchant')
    const seen = async (requestId: string) => {
      const { paymentStatus, receivedAmount, cryptoAmount, txnHash } = (await client.cryptoOrders(requestId))
        .record
      return [paymentStatus, receivedAmount, cryptoAmount, typeof txnHash]
    }
    expect(await seen('done-01')).toEqual(['COMPLETED', '25.00000000', '25.00000000', 'string'])
    expect(await seen('overpaid')).toEqual(['COMPLETED', '10.50000000', '10.00000000', 'string'])
    expect(await seen('underpaid')).toEqual(['COMPLETED', '5.00000000', '10.00000000', 'undefined'])
    expect(await seen('failed-01')).toEqual(['FAILED', undefined, '10.00000000', 'undefined'])
    expect(await seen('abandoned-01')).toEqual(['CREATED', undefined, '10.00000000', 'undefined'])
    expect(await seen('two-legs')).toEqual(['COMPLETED', '10.00000000', '10.00000000', 'undefined'])
    expect((await client.cryptoOrders('done-11')).record.metadata).toEqual({
      cart: 4711,
      items: ['book', 'lamp'],
    })
    expect((await client.fiatOrders('payout-01')).record.orderType).toBe('PAYOUT')
  })

  test('the orders that are under way go on, and nothing else moves', async () => {
    const { client, receiver } = await started('busy-merchant')
    await client.settle()
    const ledger = await client.advance('10m')
    expect(changes(ledger)).toEqual([
      'under-way-01 payment COMPLETED',
      'under-way-02 order COMPLETED',
      'under-way-04 payment FAILED',
      'under-way-04 order FAILED',
      'under-way-01 order COMPLETED',
      'under-way-03 payment COMPLETED',
      'under-way-03 order COMPLETED',
    ])
    expect(sent(receiver)).toEqual([
      'webhook-waiting COMPLETED',
      'under-way-02 COMPLETED',
      'under-way-04 FAILED 9004',
      'under-way-01 COMPLETED',
      'webhook-in-retry COMPLETED',
      'under-way-03 COMPLETED',
    ])
  })

  test('charges, the trial’s end and a late bank transfer come on their dates', async () => {
    const { client } = await started('busy-merchant')
    await client.advance('10m')
    const later = await client.advance('P2M')
    expect(
      later.transitions
        .filter(({ what }) => what === 'order')
        .map(({ requestId, at }) => `${requestId} ${day(at)}`),
    ).toEqual([
      'under-way-05 2026-03-02',
      'paper-trial 2026-03-07',
      'paper 2026-03-31',
      'paper-trial 2026-04-07',
      'paper 2026-04-30',
    ])
    await client.pay('on-the-page', 'completed')
    await client.advance('3s')
    expect((await client.fiatOrders('on-the-page')).record).toMatchObject({ orderStatus: 'COMPLETED' })
  })

  test('its tokens: one has ten minutes left, one has expired', async () => {
    const { client } = await started('busy-merchant')
    const look = async (token: string) => {
      const query = { requestId: 'done-01', clientId: client.clientId }
      return (await client.lookUp('/v1/client/orders', query, { headers: { 'access-token': token } })).status
    }
    expect([await look('busy-token-10m'), await look('busy-token-expired')]).toEqual([200, 401])
    await client.advance('10m')
    expect([await look('busy-token-10m'), await look('busy-token')]).toEqual([401, 200])
  })
})

describe('subscriptions-month-3', () => {
  test('each charge is a record under the one requestId, oldest first', async () => {
    const { client } = await started('subscriptions-month-3')
    const seen = async (requestId: string) => {
      const { data } = await client.fiatOrders(requestId)
      expect(new Set(data.map(({ orderId }) => orderId)).size).toBe(data.length)
      return data.map((record) => `${record.orderStatus}${codeOf(record)} ${day(Number(record.updatedTs))}`)
    }
    expect(await seen('monthly')).toEqual([
      'COMPLETED 2026-01-15',
      'COMPLETED 2026-02-15',
      'COMPLETED 2026-03-15',
    ])
    expect(await seen('month-end')).toEqual([
      'COMPLETED 2026-01-31',
      'COMPLETED 2026-02-28',
      'COMPLETED 2026-03-31',
    ])
    expect(await seen('third-failed')).toEqual([
      'COMPLETED 2026-01-20',
      'COMPLETED 2026-02-20',
      'FAILED 9004 2026-03-20',
    ])
    expect(await seen('with-trial')).toEqual([
      'COMPLETED 2026-01-12',
      'COMPLETED 2026-02-12',
      'COMPLETED 2026-03-12',
    ])
    expect(await seen('in-trial')).toEqual(['CREATED 2026-03-28'])
    expect(await seen('cancelled')).toHaveLength(2)
    expect(await seen('unauthorised')).toEqual(['CREATED 2026-03-29'])
    expect((await client.refunds('second-refunded')).data).toMatchObject([
      { fiatAmount: '6.00', status: 'REFUND_INITIATED' },
    ])
    expect(await seen('second-refunded')).toEqual([
      'COMPLETED 2026-01-05',
      'COMPLETED 2026-02-06',
      'COMPLETED 2026-03-05',
    ])
  })

  test('the next charges come on their dates, a month clamped only where it is short; each is told', async () => {
    const { client, receiver } = await started('subscriptions-month-3')
    const april = await client.advance('P1M')
    expect(times(april)).toEqual([
      '2026-04-04T12:00',
      '2026-04-05T12:00',
      '2026-04-12T12:00',
      '2026-04-15T10:00',
      '2026-04-20T08:00',
      '2026-04-30T09:30',
    ])
    const [trial, ...others] = sent(receiver)
    expect(trial).toBe('in-trial COMPLETED')
    expect(others).toEqual(
      ['second-refunded', 'with-trial', 'monthly', 'third-failed', 'month-end'].flatMap((each) => [
        `${each} CREATED`,
        `${each} COMPLETED`,
      ]),
    )
    expect(times(await client.advance('P1M')).at(-1)).toBe(
      '2026-05-31T09:30'.slice(0, 0) || '2026-05-20T08:00',
    )
  })
})

test('refunds-in-every-state: the refund lookup tells each of them, and the one to come comes', async () => {
  const { client } = await started('refunds-in-every-state')
  const seen = async (requestId: string) => {
    const { json, data } = await client.refunds(requestId)
    return { refunds: data.map(({ fiatAmount, status }) => `${fiatAmount} ${status}`), error: codeOf(json) }
  }
  const fine = (...refunds: string[]) => ({
    refunds: refunds.map((each) => `${each} REFUND_INITIATED`),
    error: '',
  })
  expect(await seen('not-refunded')).toEqual(fine())
  expect(await seen('refunded')).toEqual(fine('10.00'))
  expect(await seen('refunded-in-part')).toEqual(fine('20.00'))
  expect(await seen('refunded-in-two-parts')).toEqual(fine('30.00', '50.00'))
  expect(await seen('refund-failed')).toEqual({ ...fine('10.00'), error: ' 9006.1' })
  expect(await seen('second-part-failed')).toEqual({ ...fine('30.00', '50.00'), error: ' 9006.1' })
  expect(await seen('refund-status-unknown')).toEqual({ refunds: ['10.00 REFUND_ON_REVIEW'], error: '' })
  expect(await seen('refund-coming')).toEqual(fine())
  for (const { requestId = '' } of told('refunds-in-every-state'))
    expect((await client.fiatOrders(requestId)).record.orderStatus).toBe('COMPLETED')
  await client.advance('10s')
  expect(await seen('refund-coming')).toEqual(fine('10.00'))
  await client.advance('30s')
  expect(await seen('refund-coming')).toEqual({ ...fine('10.00'), error: ' 9006.1' })
})

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The error code of a failed record or answer, with a blank before it. */
function codeOf({ errorReason }: JsonObject): string {
  const hasCode = typeof errorReason === 'object' && errorReason !== null && 'errorCode' in errorReason
  return hasCode ? ` ${errorReason.errorCode}` : ''
}
