import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../support/answer.ts'
import type { TestClient } from '../support/client.ts'
import { startTestEmulator } from '../support/emulator.ts'
import { aFolder } from '../support/folder.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { under } from '../support/under.ts'

const completes = 'timeline: [{ at: 5s, order: COMPLETED }]'

interface Around {
  readonly settings?: object
  readonly lines?: string
  readonly database?: string
}

/** An order under these rules, and a receiver of its webhooks. Only COMPLETED has a webhook, unless settings say
 *  otherwise. */
async function given(webhooks: string, { settings, lines = completes, database }: Around = {}) {
  const receiver = await startReceiver()
  const file = `${lines}\nwebhooks: ${webhooks}`
  const fields = { webhookUrl: receiver.url, settings: { 'webhook.on': ['COMPLETED'], ...settings } }
  const { emulator, c1 } = await under(file, fields, database === undefined ? {} : { database })
  return { emulator, c1, receiver }
}

/** The first webhook of an order that is COMPLETED under these rules. */
async function completedUnder(webhooks: string, context?: Around) {
  const { c1, receiver, emulator } = await given(webhooks, context)
  await c1.createCheckout('r1')
  await c1.advance('5s')
  const [request] = receiver.requests
  if (request === undefined) throw new Error('no webhook came')
  const [delivery] = await c1.deliveries()
  return { request, delivery, c1, receiver, emulator }
}

/** The signature that these headers should have over a text. */
function signatureOver(text: string, { headers }: Received, { webhookSecret }: TestClient): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  return new Webhook(webhookSecret).sign(String(headers['webhook-id']), at, text)
}

const statuses = (requests: readonly Received[]) => requests.map(({ json }) => json.orderStatus)

const attemptsOf = (delivery: JsonObject | undefined): readonly JsonObject[] =>
  Array.isArray(delivery?.attempts) ? delivery.attempts : []

describe('authenticity', () => {
  test.each([
    ['{ sign: wrong }', /No matching signature/],
    ['{ sign: false }', /Missing required headers/],
    ['{ sign: old }', /too old/],
    ['{ timestamp: -10m }', /too old/],
    ['{ timestamp: 10m }', /too new/],
    ['{ tamper: true }', /No matching signature/],
    ['{ truncate: 20 }', /No matching signature/],
  ])('with %s the stock verifier refuses', async (rule, reason) => {
    const { request, c1, delivery } = await completedUnder(rule)
    expect(() => c1.verifyWebhook(request)).toThrow(reason)
    expect(delivery, 'and whoever does not verify has taken it').toMatchObject({ status: 'delivered' })
  })

  test.each(['{ sign: old }', '{ timestamp: -10m }', '{ timestamp: 10m }'])(
    'with %s it is the time alone that is wrong',
    async (rule) => {
      const { request, c1 } = await completedUnder(rule)
      expect(request.headers['webhook-signature']).toBe(signatureOver(request.text, request, c1))
      const shift = Number(request.headers['webhook-timestamp']) * 1000 - Date.now()
      expect(Math.abs(Math.abs(shift) - 600_000)).toBeLessThan(60_000)
    },
  )

  test('without a signature the id and the time still come', async () => {
    const { request } = await completedUnder('{ sign: false }')
    expect(request.headers).not.toHaveProperty('webhook-signature')
    expect(request.headers).toMatchObject({ 'webhook-id': expect.any(String) })
  })

  test.each([
    ['{ sign: wrong }', (right: string) => expect.not.stringContaining(right)],
    ['{ sign: false }', () => undefined],
    ['{ tamper: true }', (right: string) => right],
  ])('with hmac-body and %s the one header tells', async (rule, expected) => {
    const settings = { 'webhook.auth': 'hmac-body' }
    const { request, c1, delivery } = await completedUnder(rule, { settings })
    expect(request.headers.signature).toEqual(expected(c1.sign(String(delivery?.bodyText))))
  })

  test('one byte is another one, and the rest is as it was signed', async () => {
    const { request, c1, delivery } = await completedUnder('{ tamper: true }')
    const signed = Buffer.from(String(delivery?.bodyText))
    expect(request.headers['webhook-signature']).toBe(signatureOver(signed.toString(), request, c1))
    expect(request.bytes).toHaveLength(signed.length)
    expect([...request.bytes].filter((byte, index) => byte !== signed[index])).toHaveLength(1)
    expect(request.json, 'and it can still be read').toMatchObject({ orderStatus: 'COMPLETED' })
    expect(attemptsOf(delivery)[0]?.bodyText, 'the record has what was sent').toBe(request.text)
  })

  test('a forged webhook comes once, though it is refused, and the lookup knows nothing of it', async () => {
    const lines = 'timeline: [{ at: 1s, webhook: { status: COMPLETED, sign: wrong, attempts: 1 } }]'
    const { c1, receiver } = await given('[]', { lines })
    receiver.answerWith({ status: 401 })
    await c1.createCheckout('r1')
    await c1.advance('1h')
    expect(statuses(receiver.requests)).toEqual(['COMPLETED'])
    expect(() => c1.verifyWebhook(receiver.requests[0])).toThrow(/No matching signature/)
    expect((await c1.fiatOrders('r1')).record).toMatchObject({ orderStatus: 'CREATED' })
    expect(await c1.deliveries()).toMatchObject([{ status: 'dead', attempts: [{ n: 1 }] }])
  })

  test('in the format jwt the token of a forged one has another key too', async () => {
    const { jwtVerify } = await import('jose')
    const { request, c1 } = await completedUnder('{ sign: wrong }', {
      settings: { 'webhook.format': 'jwt' },
    })
    const key = new TextEncoder().encode(c1.apiSecret)
    await expect(jwtVerify(String(request.json.payload), key)).rejects.toThrow(/signature verification/)
    const wrong = createHash('sha256').update(`not ${c1.apiSecret}`).digest('base64')
    const forged = await jwtVerify(String(request.json.payload), new TextEncoder().encode(wrong))
    expect(forged.payload).toMatchObject({ data: { orderStatus: 'COMPLETED' } })
  })
})

describe('the body', () => {
  test.each([
    ['{ body: "OK, {no JSON ✓" }', 'OK, {no JSON ✓'],
    ['{ body: { a: [1, null] } }', '{"a":[1,null]}'],
    ['{ body: [] }', '[]'],
    ['{ body: "" }', ''],
  ])('is replaced with %s, validly signed', async (rule, text) => {
    for (const format of ['flat', 'jwt']) {
      const { request, c1 } = await completedUnder(rule, { settings: { 'webhook.format': format } })
      expect(request.text).toBe(text)
      expect(request.headers['webhook-signature']).toBe(signatureOver(text, request, c1))
    }
  })

  test('is patched, validly signed', async () => {
    const { request, c1, delivery } = await completedUnder('{ patch: { clientId: C9, orderType: null } }')
    c1.verifyWebhook(request)
    expect(request.json).toMatchObject({ clientId: 'C9', orderStatus: 'COMPLETED' })
    expect(request.json).not.toHaveProperty('orderType')
    expect(delivery?.bodyText).toBe(request.text)
  })

  test('is patched within the token, in the format jwt', async () => {
    const { jwtVerify } = await import('jose')
    const rule = '{ patch: { data: { orderStatus: FAILED } } }'
    const { request, c1 } = await completedUnder(rule, { settings: { 'webhook.format': 'jwt' } })
    const { payload } = await jwtVerify(String(request.json.payload), new TextEncoder().encode(c1.apiSecret))
    expect(payload).toMatchObject({ data: { orderStatus: 'FAILED' } })
  })

  test('is truncated under a right length, and signed as a whole', async () => {
    const { request, c1, delivery } = await completedUnder('{ truncate: 20 }')
    const whole = String(delivery?.bodyText)
    expect(request.text).toBe(whole.slice(0, 20))
    expect(request.headers['content-length']).toBe('20')
    expect(request.headers['webhook-signature']).toBe(signatureOver(whole, request, c1))
    expect(attemptsOf(delivery)[0]?.bodyText).toBe(request.text)
  })

  test.each([
    ['{ headers: { Content-Type: text/plain } }', { 'content-type': 'text/plain' }],
    ['{ headers: { content-type: null } }', { 'content-type': undefined }],
    ['{ headers: { x-extra: "1", user-agent: null } }', { 'x-extra': '1', 'user-agent': undefined }],
    ['{ headers: { webhook-id: msg_other } }', { 'webhook-id': 'msg_other' }],
  ])('comes with other headers: %s', async (rule, expected) => {
    const { request, delivery } = await completedUnder(rule)
    for (const [name, value] of Object.entries(expected)) expect(request.headers[name]).toBe(value)
    const { host: _, connection: __, 'content-length': ___, ...sent } = request.headers
    expect(attemptsOf(delivery)[0]?.requestHeaders, 'and they are on record').toEqual(sent)
  })

  test('comes with a header that holds a secret, which is not on record', async () => {
    const { request, delivery } = await completedUnder(
      '{ headers: { authorization: Bearer s3cr3t, x-a: "1" } }',
    )
    expect(request.headers.authorization).toBe('Bearer s3cr3t')
    const { requestHeaders } = attemptsOf(delivery)[0] ?? {}
    expect(requestHeaders).toMatchObject({ 'x-a': '1', 'webhook-id': request.headers['webhook-id'] })
    expect(requestHeaders).toHaveProperty('authorization')
    expect(JSON.stringify(requestHeaders)).not.toContain('s3cr3t')
  })
})

describe('the wire', () => {
  test.each([
    ['{ cut: end, times: 1 }', 'cut at its end', (length: number) => length],
    ['{ cut: 30, times: 1 }', 'cut in the middle', () => 30],
  ])('with %s the connection is %s', async (rule, _, arrives) => {
    const receiver = await startRawReceiver()
    const { c1 } = await given(rule)
    await c1.change({ webhookUrl: receiver.url })
    await c1.createCheckout('r1')
    await c1.advance('5s')
    const [delivery] = await c1.deliveries()
    const body = Buffer.from(String(delivery?.bodyText))
    const connection = await receiver.connection()
    await connection.ended
    expect(connection.headers).toMatch(new RegExp(`\r\ncontent-length: ${body.length}(\r|$)`, 'i'))
    expect(connection.body).toBe(body.subarray(0, arrives(body.length)).toString())
    const error = `cut on purpose after ${arrives(body.length)} of ${body.length} bytes`
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ outcome: 'connection', error }] })
  })

  test('whoever got it whole before the cut gets it again', async () => {
    const { receiver, c1 } = await given('{ cut: end, times: 1 }')
    await c1.createCheckout('r1')
    await c1.advance('5s')
    await c1.advance('1s')
    const [first, second] = await receiver.received(2)
    expect(second?.bytes).toEqual(first?.bytes)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(await c1.deliveries()).toMatchObject([
      { status: 'delivered', attempts: [{ outcome: 'connection', status: null }, { outcome: 'accepted' }] },
    ])
  })
})

describe('answers that count as others', () => {
  test('come from a receiver that really got each attempt, and retries follow as usual (N44)', async () => {
    const { c1, receiver } = await given('{ countAs: 500, times: 4 }')
    await c1.createCheckout('r1')
    const { deliveries, from } = await c1.advance('1h')
    expect(deliveries.map(({ at, outcome, status }) => [(at - from) / 1000, outcome, status])).toEqual([
      [5, 'refused', 500],
      [6, 'refused', 500],
      [8, 'refused', 500],
      [12, 'refused', 500],
      [20, 'accepted', 200],
    ])
    expect(receiver.requests).toHaveLength(5)
    const [delivery] = await c1.deliveries()
    expect(attemptsOf(delivery)[0]).toMatchObject({
      error: 'your app answered 200, treated as 500 by the scenario',
    })
    expect(attemptsOf(delivery)[4]).toMatchObject({ error: null })
  })

  test('as what was answered anyway are no override', async () => {
    const { c1, receiver } = await given('{ countAs: 503, times: 1 }')
    receiver.answerWith({ status: 503 })
    await c1.createCheckout('r1')
    await c1.advance('5s')
    const [delivery] = await c1.deliveries()
    expect(attemptsOf(delivery)[0]).toMatchObject({ status: 503, error: null })
  })

  test('by a fault that was planned meanwhile say so', async () => {
    const { c1, emulator } = await given('{ attempts: 3 }')
    await emulator.control('/faults', 'POST', { clientId: 'C1', on: 'delivery', effect: { countAs: 500 } })
    await c1.createCheckout('r1')
    await c1.advance('5s')
    const [delivery] = await c1.deliveries()
    const error = 'your app answered 200, treated as 500 by a planned fault'
    expect(attemptsOf(delivery)[0]).toMatchObject({ status: 500, error })
  })

  test('as 410 pause the URL', async () => {
    const { c1, receiver } = await given('{ countAs: 410 }')
    await c1.createCheckout('r1')
    await c1.advance('1h')
    await c1.createCheckout('r2')
    await c1.advance('1h')
    expect(receiver.requests).toHaveLength(1)
  })

  test('as 200 end what the receiver refuses', async () => {
    const { c1, receiver } = await given('{ countAs: 200 }')
    receiver.answerWith({ status: 410 })
    await c1.createCheckout('r1')
    await c1.advance('1h')
    expect(await c1.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }])
  })

  test('are none where no answer comes', async () => {
    const { c1, receiver } = await given('{ countAs: 200, attempts: 1 }')
    receiver.answerWith('reset')
    await c1.createCheckout('r1')
    await c1.advance('5s')
    expect(await c1.deliveries()).toMatchObject([{ status: 'dead', attempts: [{ outcome: 'connection' }] }])
  })
})

describe('copies', () => {
  test('of one moment are under way at the same time', async () => {
    const { c1, receiver } = await given('{ simultaneous: 15 }')
    const { promise, resolve } = Promise.withResolvers<void>()
    receiver.answerWith({ after: promise })
    await c1.createCheckout('r1')
    const advanced = c1.advance('5s')
    // When the last webhook arrives, none has been answered.
    await receiver.received(16)
    resolve()
    await advanced
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.requests.map(({ text }) => text)).size).toBe(1)
    for (const request of receiver.requests) c1.verifyWebhook(request)
  })

  test.each(['{ duplicate: 2 }', '{ duplicate: 2, delay: 1m }'])(
    'with %s each waits until the one before has been answered',
    async (rule) => {
      const { c1, receiver, emulator } = await given(rule)
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
      receiver.answerWith({ after: gates[0].promise }, { after: gates[1].promise }, {})
      await c1.createCheckout('r1')
      const advanced = c1.advance('65s')
      for (const [index, gate] of gates.entries()) {
        await receiver.received(index + 1)
        // Time in which another one would have come.
        for (let calls = 0; calls < 5; calls++) await emulator.control('/health')
        expect(receiver.requests).toHaveLength(index + 1)
        gate.resolve()
      }
      await advanced
      expect(receiver.requests).toHaveLength(3)
    },
  )

  test('come as far apart as wanted', async () => {
    const { c1 } = await given('{ duplicate: 2, apart: 1h }')
    await c1.createCheckout('r1')
    const { deliveries, from } = await c1.advance('1d')
    expect(deliveries.map(({ at }) => (at - from) / 1000)).toEqual([5, 3605, 7205])
  })

  test('have a `webhook-id` each if wanted, and are retried each for itself', async () => {
    const { c1, receiver } = await given('{ duplicate: 1, simultaneous: 1, ids: fresh }')
    receiver.answerWith({ status: 500 }, {})
    await c1.createCheckout('r1')
    await c1.advance('1h')
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([4, 3])
    for (const request of receiver.requests) c1.verifyWebhook(request)
  })
})

describe('order', () => {
  const all = { settings: { 'webhook.on': 'all' } }

  test('what is delayed holds up no later event (N46)', async () => {
    const { c1, receiver } = await given('{ of: CREATED, delay: 1m }', all)
    await c1.createCheckout('r1')
    const { deliveries, from } = await c1.advance('2m')
    expect(statuses(receiver.requests)).toEqual(['COMPLETED', 'CREATED'])
    expect(deliveries.map(({ at }) => (at - from) / 1000)).toEqual([5, 60])
  })

  test('what is delayed goes where the URL is by then, or is skipped without one (N47, N48)', async () => {
    const { c1, receiver } = await given('{ delay: 1m }')
    await c1.change({ webhookUrl: null })
    for (const requestId of ['r1', 'r2']) {
      await c1.createCheckout(requestId)
      await c1.advance('5s')
      if (requestId === 'r2') await c1.change({ webhookUrl: receiver.url })
      await c1.advance('1m')
    }
    expect(receiver.requests.map(({ json }) => json.requestId)).toEqual(['r2'])
    expect((await c1.deliveries()).map(({ status }) => status)).toEqual(['skipped', 'delivered'])
  })

  test('what is delayed to one moment comes in its order', async () => {
    const { c1, receiver } = await given('[{ of: CREATED, delay: 10s }, { of: COMPLETED, delay: 5s }]', all)
    const { promise, resolve } = Promise.withResolvers<void>()
    receiver.answerWith({ after: promise }, {})
    await c1.createCheckout('r1')
    const advanced = c1.advance('10s')
    await receiver.received(1)
    resolve()
    await advanced
    expect(statuses(receiver.requests)).toEqual(['CREATED', 'COMPLETED'])
  })

  test('what comes after another waits until that has been answered', async () => {
    const { c1, receiver, emulator } = await given('{ of: CREATED, after: COMPLETED }', all)
    const { promise, resolve } = Promise.withResolvers<void>()
    receiver.answerWith({ after: promise }, {})
    await c1.createCheckout('r1')
    const advanced = c1.advance('5s')
    await receiver.received(1)
    for (let calls = 0; calls < 5; calls++) await emulator.control('/health')
    expect(statuses(receiver.requests)).toEqual(['COMPLETED'])
    resolve()
    await advanced
    expect(statuses(receiver.requests)).toEqual(['COMPLETED', 'CREATED'])
  })
})

describe('a restart', () => {
  /** Stops the emulator of an order and starts another one on its database. */
  async function restarted(webhooks: string, before: string, settings: object = {}) {
    const database = join(aFolder(), 'emulator.db')
    const first = await given(webhooks, { database, settings: { 'webhook.on': 'all', ...settings } })
    await first.c1.createCheckout('r1')
    await first.c1.advance(before)
    await first.emulator.close()
    const emulator = await startTestEmulator({ database })
    const advance = (by: string) => emulator.control('/clock/advance?clientId=C1', 'POST', { by })
    return { emulator, advance, receiver: first.receiver, c1: first.c1 }
  }

  test('forgets no delay and no copy', async () => {
    const { advance, receiver } = await restarted('{ of: COMPLETED, delay: 40m, duplicate: 1 }', '5s')
    expect(statuses(receiver.requests)).toEqual(['CREATED'])
    await advance('40m')
    expect(statuses(receiver.requests)).toEqual(['CREATED', 'COMPLETED', 'COMPLETED'])
  })

  test('forgets nothing that waits for its turn', async () => {
    const { advance, receiver } = await restarted('{ of: CREATED, after: COMPLETED }', '1s')
    expect(receiver.requests).toEqual([])
    await advance('10s')
    expect(statuses(receiver.requests)).toEqual(['COMPLETED', 'CREATED'])
  })

  test('forgets nothing of what is wrong with coming attempts', async () => {
    const rules = '{ of: COMPLETED, sign: wrong, countAs: 500, times: 2 }'
    const { advance, receiver, c1 } = await restarted(rules, '5s')
    await advance('1h')
    const [, wrong, again, right] = receiver.requests
    expect(() => c1.verifyWebhook(wrong)).toThrow(/No matching/)
    expect(() => c1.verifyWebhook(again)).toThrow(/No matching/)
    expect(() => c1.verifyWebhook(right)).not.toThrow()
    expect(receiver.requests).toHaveLength(4)
  })
})

describe('settings of the scenario hold when its webhooks are sent', () => {
  const lines = (settings: string) => `settings: { ${settings} }\n${completes}`
  const others = { 'webhook.auth': 'standard', 'webhook.retry.max': 5 }

  test('webhook.auth', async () => {
    const { request } = await completedUnder('[]', { lines: lines('webhook.auth: none'), settings: others })
    expect(request.headers).not.toHaveProperty('webhook-signature')
  })

  test('webhook.signTime', async () => {
    const { request, c1 } = await completedUnder('[]', { lines: lines('webhook.signTime: virtual') })
    expect(Number(request.headers['webhook-timestamp']) * 1000).toBe(await c1.now())
  })

  test('webhook.retry and webhook.accept', async () => {
    const { c1, receiver } = await given('[]', {
      lines: lines('webhook.retry.max: 1, webhook.retry.base: 7s, webhook.accept: 200'),
      settings: others,
    })
    receiver.answerWith({ status: 204 })
    await c1.createCheckout('r1')
    const { deliveries, from } = await c1.advance('1h')
    expect(deliveries.map(({ at, outcome }) => [(at - from) / 1000, outcome])).toEqual([
      [5, 'refused'],
      [12, 'refused'],
    ])
  })

  test('webhook.timeout', async () => {
    const { c1, receiver } = await given('{ attempts: 1 }', { lines: lines('webhook.timeout: 50ms') })
    receiver.answerWith('hang')
    await c1.createCheckout('r1')
    await c1.advance('5s')
    expect(await c1.deliveries()).toMatchObject([{ attempts: [{ outcome: 'timeout' }] }])
  })

  test('and the client’s own hold for the rest', async () => {
    const { request } = await completedUnder('[]', {
      lines: lines('webhook.retry.max: 1'),
      settings: { 'webhook.auth': 'none' },
    })
    expect(request.headers).not.toHaveProperty('webhook-signature')
  })
})

test('the ledger lists copies of one moment by their ids, however they are answered', async () => {
  const { c1, receiver } = await given('{ of: COMPLETED, simultaneous: 3, duplicate: 1 }')
  const { promise: later, resolve } = Promise.withResolvers<void>()
  // The first to arrive is the last to be answered.
  receiver.answerWith({ after: later }, {}, {}, {})
  await c1.createCheckout('r1')
  const advanced = c1.advance('5s')
  await receiver.received(4)
  resolve()
  const { deliveries } = await advanced
  const ids = deliveries.map(({ deliveryId }) => deliveryId.replace(/^del_[0-9a-f]+/, ''))
  expect(ids).toEqual(['_1', '_1_1', '_1_2', '_1_3', '_2'])
})

test.each(['transfer-encoding', 'Expect', 'upgrade', 'keep-alive', 'connection'])(
  "the header %s is not the scenario's to choose",
  async (name) => {
    await expect(given(`{ headers: { ${name}: x } }`)).rejects.toThrow('cannot be set here')
  },
)
