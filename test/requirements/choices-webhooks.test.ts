import { jwtVerify } from 'jose'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { ClientFields, Ledger } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus } from '../support/expect.ts'
import { type Behaviour, type Received, startReceiver } from '../support/receiver.ts'

/** A client C1 whose webhooks go to a receiver, and an order r1 whose first webhook has been answered. */
async function withFirstWebhook(behaviour: Behaviour, fields: ClientFields = {}) {
  const receiver = await startReceiver()
  receiver.answerWith(behaviour)
  const { c1, emulator } = await startFixture({
    webhookUrl: receiver.url,
    defaultScenario: 'never-pays',
    ...fields,
  })
  expectStatus(await c1.createCheckout('r1'), 200)
  await c1.settle()
  const attempts = async () => (await c1.deliveries()).map(({ status, attempts }) => ({ status, attempts }))
  return { receiver, c1, emulator, attempts }
}

/** Seconds from the begin of an advance to each attempt. */
const seconds = ({ from, deliveries }: Ledger) => deliveries.map(({ at }) => (at - from) / 1000)
const statuses = (requests: readonly Received[]) =>
  requests.map(({ json }) => `${json.requestId} ${json.orderStatus}`)

describe('what is sent', () => {
  test('N36, N39, N41: the body is flat, one event for each change, in exactly these bytes', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture({ webhookUrl: receiver.url })
    await c1.createCheckout(c1.checkout('r1', { fiatAmount: '90.04' }))
    await c1.advance('1h')
    const { orderId } = await c1.order('r1')
    const begin = `{"requestId":"r1","clientId":"C1","orderId":"${orderId}","orderStatus":`
    const end = '"orderType":"CHECKOUT","eventType":"service-sdk-transaction-status"'
    expect(receiver.requests.map(({ text }) => text)).toEqual([
      `${begin}"CREATED",${end}}`,
      `${begin}"FAILED",${end},"errorCode":"9004"}`,
    ])
    for (const { headers } of receiver.requests) {
      expect(headers['content-type']).toMatch(/^application\/json(;|$)/)
    }
  })

  test('N40: with a list, only the changes to what it names are told', async () => {
    const receiver = await startReceiver()
    const settings = { webhook: { on: ['COMPLETED'] } }
    const { c1 } = await startFixture({ webhookUrl: receiver.url, settings })
    await c1.createCheckout('r1')
    await c1.createCheckout(c1.checkout('r2', { fiatAmount: '90.04' }))
    await c1.advance('1h')
    expect(statuses(receiver.requests)).toEqual(['r1 COMPLETED'])
  })
})

test('N41: with `both`, each leg of an order is told', async () => {
  const { receiver, c1 } = await withFirstWebhook(
    {},
    { settings: { webhook: { legs: 'both' } }, defaultScenario: 'happy' },
  )
  await c1.advance('1h')
  const told = receiver.requests.map(({ json }) => json)
  expect(new Set(told.map(({ orderId }) => orderId)).size).toBe(1)
  expect(told.map(({ orderStatus, orderType }) => `${orderStatus} ${orderType}`)).toEqual([
    'CREATED CHECKOUT',
    'CREATED CRYPTOPAYIN',
    'COMPLETED CHECKOUT',
    'COMPLETED CRYPTOPAYIN',
  ])
})

describe('N36: the payload', () => {
  const failed = async (webhook: object) => {
    const { receiver, c1 } = await withFirstWebhook(
      {},
      { settings: { webhook }, defaultScenario: 'fail-9004' },
    )
    await c1.advance('1h')
    const [created, failure] = await receiver.received(2)
    if (created === undefined || failure === undefined) throw new Error('unreachable')
    return { c1, created, failure, orderId: String((await c1.order('r1')).orderId) }
  }
  const why = 'Error occurred while the payment was processed by the payment partner'

  test('N36: an envelope has the event inside, and an error only when there is one', async () => {
    const { created, failure, orderId } = await failed({ format: 'envelope' })
    const data = { orderType: 'CHECKOUT', orderId, orderStatus: 'CREATED' }
    const type = 'service-sdk-transaction-status'
    expect(created.json).toEqual({ requestId: 'r1', type, data })
    expect(failure.json).toEqual({
      requestId: 'r1',
      type,
      data: { ...data, orderStatus: 'FAILED' },
      error: { code: '9004', message: why },
    })
  })

  test.each(['HS256', 'HS384', 'HS512'])(
    'N36: a JWT holds the envelope, signed with the API secret: %s',
    async (alg) => {
      const { created, c1 } = await failed({ format: 'jwt', jwtAlgorithm: alg })
      expect(Object.keys(created.json)).toEqual(['payload'])
      const key = new TextEncoder().encode(c1.apiSecret)
      const { payload, protectedHeader } = await jwtVerify(String(created.json.payload), key)
      expect(protectedHeader).toEqual({ alg, typ: 'JWT' })
      expect(payload).toMatchObject({ requestId: 'r1', data: { orderStatus: 'CREATED' } })
      const other = new TextEncoder().encode('another-secret')
      await expect(jwtVerify(String(created.json.payload), other)).rejects.toThrow(/signature/)
    },
  )

  test('N36: a template is filled in, and what an event does not have is left out', async () => {
    const template = {
      event: { id: '${webhookId}', at: '${eventTimestamp}', time: '${eventTime}' },
      text: 'order ${orderId} is ${orderStatus} ${errorCode}',
      problem: { code: '${errorCode}', text: '${errorMessage}' },
      fixed: [1, true, null, '$5'],
      'of ${requestId}': 1,
    }
    const { created, failure, orderId, c1 } = await failed({ format: 'template', template })
    const at = Number((await c1.order('r1')).createdAt)
    expect(created.json).toEqual({
      event: { id: created.headers['webhook-id'], at, time: new Date(at).toISOString() },
      text: `order ${orderId} is CREATED `,
      fixed: [1, true, null, '$5'],
      'of r1': 1,
    })
    expect(failure.json).toMatchObject({ problem: { code: '9004', text: why } })
  })

  test('N36: a template may be given as text', async () => {
    const { created } = await failed({ format: 'template', template: '["${requestId}"]' })
    expect(created.text).toBe('["r1"]')
  })

  test('N36: a template that is nothing but a missing value is null', async () => {
    const { created, failure } = await failed({ format: 'template', template: '"${errorCode}"' })
    expect([created.text, failure.text]).toEqual(['null', '"9004"'])
  })

  test.each(['envelope', 'jwt'])('N36: a simulation and a webhook by hand come as %s too', async (format) => {
    const { receiver, c1, emulator } = await withFirstWebhook({}, { settings: { webhook: { format } } })
    await c1.simulate(c1.simulation('r1'))
    await receiver.received(2)
    const event = { requestId: 'r1' }
    await emulator.control('/deliveries', 'POST', { clientId: c1.clientId, event })
    const shapes = receiver.requests.map(({ json }) => Object.keys(json))
    expect(new Set(shapes.map(String)).size).toBe(1)
  })

  test('N36: every attempt has the same bytes, a JWT too', async () => {
    const { receiver, c1 } = await withFirstWebhook(
      { status: 500 },
      { settings: { webhook: { format: 'jwt' } } },
    )
    await c1.advance('1s')
    const [first, again] = await receiver.received(2)
    expect(again?.text).toBe(first?.text)
  })
})

describe('N38: authenticity', () => {
  const headersOf = ({ headers }: Received) => ({
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  })

  test('N38: the published library verifies every attempt, and nothing that was tampered with', async () => {
    const { receiver, c1 } = await withFirstWebhook({ status: 500 })
    await c1.advance('1s')
    const [first, again] = await receiver.received(2)
    if (first === undefined || again === undefined) throw new Error('unreachable')
    const right = new Webhook(c1.webhookSecret)
    expect(right.verify(first.text, headersOf(first))).toEqual(first.json)
    expect(right.verify(again.text, headersOf(again))).toEqual(first.json)
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(again.bytes).toEqual(first.bytes)

    const wrong = new Webhook('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
    expect(() => wrong.verify(first.text, headersOf(first))).toThrow()
    const tampered = first.text.replace('CREATED', 'COMPLETED')
    expect(() => right.verify(tampered, headersOf(first))).toThrow()
    const otherId = { ...headersOf(first), 'webhook-id': 'msg_other' }
    expect(() => right.verify(first.text, otherId)).toThrow()
  })

  test('N38: two events have two ids, and each client its own key', async () => {
    const { receiver, c1, emulator } = await withFirstWebhook({})
    const c3 = await emulator.addClient({ webhookUrl: receiver.url })
    await c3.createCheckout('r1')
    const [first, second] = await receiver.received(2)
    if (first === undefined || second === undefined) throw new Error('unreachable')
    expect(first.headers['webhook-id']).not.toBe(second.headers['webhook-id'])
    expect(() => new Webhook(c1.webhookSecret).verify(second.text, headersOf(second))).toThrow()
    expect(new Webhook(c3.webhookSecret).verify(second.text, headersOf(second))).toBeTruthy()
  })

  test('N38: the timestamp is of the wall, or of the client if so set', async () => {
    const wall = await withFirstWebhook({})
    const virtual = await withFirstWebhook({}, { settings: { webhook: { signTime: 'virtual' } } })
    const stamp = ({ receiver }: typeof wall) => Number(receiver.requests[0]?.headers['webhook-timestamp'])
    expect(Math.abs(stamp(wall) - Date.now() / 1000)).toBeLessThan(60)
    expect(stamp(virtual) * 1000).toBe(await virtual.c1.now())
  })

  test('N38: hmac-body signs the body alone, with the API secret', async () => {
    const { receiver, c1 } = await withFirstWebhook({}, { settings: { webhook: { auth: 'hmac-body' } } })
    const [first] = receiver.requests
    expect(first?.headers.signature).toBe(c1.sign(first?.text ?? ''))
    expect(Object.keys(first?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([])
  })

  test('N38: it can be switched off', async () => {
    const { receiver } = await withFirstWebhook({}, { settings: { webhook: { auth: 'none' } } })
    const names = Object.keys(receiver.requests[0]?.headers ?? {})
    expect(names.filter((name) => name.startsWith('webhook-'))).toEqual([])
  })
})

describe('N44: retries', () => {
  test('N44: ten of them, the first after a second, each wait twice the one before', async () => {
    const { c1, receiver, attempts } = await withFirstWebhook({ status: 500 })
    expect(seconds(await c1.advance('400d'))).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 1023])
    expect(receiver.requests).toHaveLength(11)
    expect(await attempts()).toMatchObject([{ status: 'dead' }])
  })

  test.each([
    [{ cap: '5s', max: 5 }, [1, 3, 7, 12, 17]],
    [{ base: '10m', cap: '10m', max: 2 }, [600, 1200]],
    [{ base: '10m', cap: '1m', max: 1 }, [60]],
    [{ max: 0 }, []],
  ])('N44: under %j they come at %j', async (retry, expected) => {
    const { c1 } = await withFirstWebhook({ status: 500 }, { settings: { webhook: { retry } } })
    expect(seconds(await c1.advance('1d'))).toEqual(expected)
  })

  test('N44: an attempt that succeeds ends them', async () => {
    const { c1, receiver, attempts } = await withFirstWebhook({ status: 500 })
    receiver.answerWith({ status: 500 }, { status: 200 })
    expect(seconds(await c1.advance('1d'))).toEqual([1, 3])
    expect(await attempts()).toMatchObject([{ status: 'delivered' }])
  })

  test.each([
    ['30', 30],
    ['0', 1],
    ['100000', 600],
    [new Date(Date.now() + 3_600_000).toUTCString(), 600],
    ['soon', 1],
    ['-5', 1],
  ])('N44: Retry-After: %s moves the next attempt to %i s', async (retryAfter, expected) => {
    const { c1 } = await withFirstWebhook({ status: 503, headers: { 'retry-after': retryAfter } })
    expect(seconds(await c1.advance('10m'))[0]).toBe(expected)
  })

  test('N44: 410 pauses the URL until it is set again', async () => {
    const { c1, receiver } = await withFirstWebhook({ status: 410 })
    receiver.answerWith({ status: 200 })
    await c1.createCheckout('r2')
    await c1.advance('1d')
    expect(statuses(receiver.requests)).toEqual(['r1 CREATED'])
    await c1.setWebhookUrl(receiver.url)
    await c1.settle()
    expect(statuses(receiver.requests).toSorted()).toEqual(['r1 CREATED', 'r1 CREATED', 'r2 CREATED'])
  })
})

describe('N45: what counts as received', () => {
  test.each([200, 201, 202, 204, 299])('N45: %i does', async (status) => {
    const { c1, attempts } = await withFirstWebhook({ status })
    expect(await attempts()).toMatchObject([
      { status: 'delivered', attempts: [{ outcome: 'accepted', status }] },
    ])
    expect(seconds(await c1.advance('1d'))).toEqual([])
  })

  test.each([300, 304, 400, 401, 404, 409, 429, 500, 503])('N45: %i does not', async (status) => {
    const { c1, attempts } = await withFirstWebhook({ status })
    expect(await attempts()).toMatchObject([
      { status: 'pending', attempts: [{ outcome: 'refused', status }] },
    ])
    expect(seconds(await c1.advance('1s'))).toEqual([1])
  })

  test.each([301, 302, 303, 307, 308])('N45: redirect %i is not followed', async (status) => {
    const elsewhere = await startReceiver()
    const { attempts } = await withFirstWebhook({ status, headers: { location: elsewhere.url } })
    expect(await attempts()).toMatchObject([
      { status: 'pending', attempts: [{ outcome: 'refused', status }] },
    ])
    expect(elsewhere.requests).toEqual([])
  })

  test('N45: under webhook.accept 200 nothing else does', async () => {
    const settings = { webhook: { accept: '200' } }
    const created = await withFirstWebhook({ status: 201 }, { settings })
    const ok = await withFirstWebhook({ status: 200 }, { settings })
    expect(await created.attempts()).toMatchObject([{ status: 'pending' }])
    expect(await ok.attempts()).toMatchObject([{ status: 'delivered' }])
  })

  test('N45: no answer in time is none', async () => {
    const settings = { webhook: { timeout: '100ms' } }
    const { c1, attempts, receiver } = await withFirstWebhook('hang', { settings })
    expect(await attempts()).toMatchObject([
      { status: 'pending', attempts: [{ outcome: 'timeout', status: null }] },
    ])
    receiver.answerWith({})
    await c1.change({ settings: { webhook: { timeout: null } } })
    expect(seconds(await c1.advance('1d'))).toEqual([1])
  })

  test('N45: a connection that is cut is none', async () => {
    const { c1, attempts, receiver } = await withFirstWebhook('reset')
    expect(await attempts()).toMatchObject([
      { status: 'pending', attempts: [{ outcome: 'connection', status: null }] },
    ])
    receiver.answerWith({})
    expect(seconds(await c1.advance('1d'))).toEqual([1])
  })

  test('N45: nobody listens: tried again', async () => {
    const { c1, receiver } = await withFirstWebhook({})
    await receiver.close()
    await c1.createCheckout('r2')
    await c1.settle()
    expect((await c1.deliveries())[1]).toMatchObject({
      status: 'pending',
      attempts: [{ outcome: 'connection', status: null, error: expect.stringMatching(/./) }],
    })
  })
})

describe('N46: order', () => {
  test('N46: the second event of an order waits for the first attempt of the first, other orders do not', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const receiver = await startReceiver()
    receiver.answerWith({ after: released }, {})
    const { c1 } = await startFixture({ webhookUrl: receiver.url, defaultScenario: 'happy-instant' })
    await c1.createCheckout('r1')
    await receiver.received(1)
    await c1.createCheckout('r2')
    await receiver.received(3)
    expect(statuses(receiver.requests)).toEqual(['r1 CREATED', 'r2 CREATED', 'r2 COMPLETED'])
    release()
    expect(statuses(await receiver.received(4)).at(-1)).toBe('r1 COMPLETED')
  })

  test('N46: a retry holds nothing up, and is overtaken', async () => {
    const settings = { webhook: { retry: { base: '1m' } } }
    const { c1, receiver } = await withFirstWebhook({ status: 500 }, { settings, defaultScenario: 'happy' })
    receiver.answerWith({})
    expect(seconds(await c1.advance('1h'))).toEqual([5, 60])
    expect(statuses(receiver.requests)).toEqual(['r1 CREATED', 'r1 COMPLETED', 'r1 CREATED'])
  })
})

describe('N47, N48: the URL', () => {
  test('N47: a pending retry goes to the new URL', async () => {
    const { c1, receiver } = await withFirstWebhook({ status: 500 })
    const moved = await startReceiver()
    expectStatus(await c1.setWebhookUrl(moved.url), 200)
    expect(seconds(await c1.advance('1d'))).toEqual([1])
    expect([receiver.requests.length, moved.requests.length]).toEqual([1, 1])
    expect(moved.requests[0]?.bytes).toEqual(receiver.requests[0]?.bytes)
  })

  test('N48: without a URL an order is made all the same; its events are skipped for good', async () => {
    const receiver = await startReceiver()
    const { c1 } = await startFixture()
    expectStatus(await c1.createCheckout('r1'), 200)
    await c1.advance('3s')
    expect(await c1.deliveries()).toMatchObject([{ orderStatus: 'CREATED', status: 'skipped', attempts: [] }])
    await c1.setWebhookUrl(receiver.url)
    await c1.advance('1d')
    expect(statuses(receiver.requests)).toEqual(['r1 COMPLETED'])
  })

  test('N48: what still waits when the URL is taken away is skipped too', async () => {
    const { c1 } = await withFirstWebhook({ status: 500 })
    await c1.change({ webhookUrl: null })
    expect(seconds(await c1.advance('1d'))).toEqual([])
    expect(await c1.deliveries()).toMatchObject([{ status: 'skipped', attempts: [{ outcome: 'refused' }] }])
  })
})
