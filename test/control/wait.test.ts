import { expect, test } from 'vitest'
import type { Answer } from '../support/answer.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'

/** A wait as it is asked for; its answer comes when it comes. */
function wait(emulator: TestEmulator, body: object, query = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return emulator.send(`/_emulator/wait${query}`, { method: 'POST', headers, body })
}

/** Resolves when the emulator has taken in what was asked before on other connections. */
const takenIn = (emulator: TestEmulator) => emulator.control('/health')

test('what is so already is answered at once, as its GET shows it', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const answer = await wait(emulator, { for: 'order', where: { requestId: 'r1', orderStatus: 'CREATED' } })
  expect([answer.status, answer.json]).toEqual([200, await c1.order('r1')])
})

test('what becomes so is answered the moment it does', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const completed = wait(emulator, { for: 'order', where: { requestId: 'r1', orderStatus: 'COMPLETED' } })
  await takenIn(emulator)
  await c1.advance('5s')
  expect((await completed).json).toEqual(await c1.order('r1'))
})

test('what is so only for a moment of a long advance is not missed', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const where = { requestId: 'r1', paymentStatus: 'COMPLETED', orderStatus: 'CREATED' }
  const paid = wait(emulator, { for: 'order', where })
  await takenIn(emulator)
  await c1.advance('1h')
  expect((await paid).json).toMatchObject({ paymentStatus: 'COMPLETED', orderStatus: 'CREATED' })
})

test('between looking and listening nothing is missed', async () => {
  const { emulator, c1 } = await startFixture()
  const ids = Array.from({ length: 100 }, (_, n) => `r${n}`)
  const [answers] = await Promise.all([
    Promise.all(ids.map((requestId) => wait(emulator, { for: 'order', where: { requestId } }))),
    Promise.all(ids.map((requestId) => c1.createCheckout(requestId))),
  ])
  expect(answers.map(({ json }) => json.requestId)).toEqual(ids)
})

test('a wait moves no clock', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const before = await c1.now()
  const where = { requestId: 'r1', orderStatus: 'COMPLETED' }
  expect((await wait(emulator, { for: 'order', where, timeoutMs: 20 })).status).toBe(408)
  expect(await c1.now()).toBe(before)
})

test('members that only the whole order shows can be waited for', async () => {
  const { emulator, c1 } = await startFixture({ defaultScenario: 'payer-decides' })
  await c1.createCheckout(c1.checkout('r1', { metadata: { cart: { id: 7 } } }))
  const where = {
    waitsForPayer: true,
    'scenario.id': 'payer-*',
    'metadata.cart.id': 7,
    'refunds.length': 0,
    errorReason: null,
  }
  expect((await wait(emulator, { for: 'order', where, timeoutMs: 0 })).json.requestId).toBe('r1')
})

test('the charge that a subscription opens is seen', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createSubscription('s1')
  const second = wait(emulator, { for: 'order', where: { requestId: 's1', charge: 2 } })
  await takenIn(emulator)
  await c1.advance('40d')
  expect((await second).json).toMatchObject({ requestId: 's1', charge: 2 })
})

test('a delivery is seen as it is made, held, let go, delivered, and sent again', async () => {
  const receiver = await startReceiver()
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  await emulator.control('/deliveries/hold?clientId=C1', 'POST', {})
  const delivery = (status: string, more = {}) =>
    wait(emulator, { for: 'delivery', where: { requestId: 'r1', status, ...more } }, '?clientId=C1')
  const held = delivery('held')
  const delivered = delivery('delivered')
  await takenIn(emulator)
  await c1.createCheckout('r1')
  const { id } = (await held).json
  const released = delivery('pending', { id })
  await takenIn(emulator)
  await emulator.control('/deliveries/release?clientId=C1', 'POST', {})
  expect((await released).json.attempts).toEqual([])
  expect((await delivered).json).toMatchObject({ id, attempts: [{ outcome: 'accepted' }] })
  const twice = delivery('delivered', { 'attempts.length': 2 })
  await takenIn(emulator)
  await emulator.control(`/deliveries/${id}/resend`, 'POST', {})
  expect((await twice).json).toMatchObject({ id, attempts: [{ n: 1 }, { n: 2 }] })
})

test('an attempt is seen while it waits for its answer', async () => {
  const receiver = await startReceiver()
  receiver.answerWith('hang')
  const { emulator, c1 } = await startFixture({ webhookUrl: receiver.url })
  const where = { requestId: 'r1', orderStatus: 'CREATED', 'attempts.0.outcome': 'unknown' }
  const begun = wait(emulator, { for: 'delivery', where })
  await takenIn(emulator)
  await c1.createCheckout('r1')
  expect((await begun).json).toMatchObject({ status: 'pending', attempts: [{ n: 1, status: null }] })
})

test('a delivery is seen that goes nowhere, is given up, or is simulated', async () => {
  const { emulator, c1 } = await startFixture()
  const skipped = wait(emulator, { for: 'delivery', where: { requestId: 'r1', status: 'skipped' } })
  await takenIn(emulator)
  await c1.createCheckout('r1')
  expect((await skipped).json).toMatchObject({ requestId: 'r1', orderStatus: 'CREATED', attempts: [] })

  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  await c1.change({ webhookUrl: receiver.url })
  const where = { requestId: 'r2', status: 'dead' }
  const made = wait(emulator, { for: 'delivery', where: { requestId: 'r2' } })
  const dead = wait(emulator, { for: 'delivery', where })
  await takenIn(emulator)
  await c1.simulate(c1.simulation('r2'))
  expect((await made).json).toMatchObject({ requestId: 'r2', status: 'pending' })
  await c1.advance('30d')
  expect((await dead).json).toMatchObject(where)
})

test('what is sent by hand is seen too', async () => {
  const receiver = await startReceiver()
  const { emulator } = await startFixture({ webhookUrl: receiver.url })
  const sent = wait(emulator, { for: 'delivery', where: { status: 'delivered' } })
  await takenIn(emulator)
  const { json } = await emulator.control('/deliveries', 'POST', { clientId: 'C1', body: { hello: 1 } })
  expect((await sent).json).toEqual(json)
})

test('a request is seen by what was in its body, and why it was refused', async () => {
  const { emulator, c1 } = await startFixture()
  const where = { operation: 'create-order', 'body.requestId': 'r1', 'diagnosis.cause': 'signature.*' }
  const refused = wait(emulator, { for: 'request', where })
  await takenIn(emulator)
  await c1.createCheckout('r0', { signed: 'something else' })
  const answer = await c1.createCheckout('r1', { signed: 'something else' })
  expect((await refused).json).toEqual(await c1.journalOf(answer))
})

test('an order that a fixture brings is seen', async () => {
  const { emulator } = await startFixture()
  const waiting = wait(emulator, { for: 'order', where: { requestId: 'brought' } })
  await takenIn(emulator)
  await emulator.send('/_emulator/fixtures', {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: 'clients:\n  - clientId: shop\n    orders: [{ requestId: brought }]\n',
  })
  expect((await waiting).json).toMatchObject({ clientId: 'shop', requestId: 'brought' })
})

test('an order that a snapshot brings back is seen', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const snapshot = (await emulator.control('/snapshot')).json
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  const waiting = wait(emulator, { for: 'order', where: { requestId: 'r1' } })
  await takenIn(emulator)
  await emulator.control('/snapshot', 'PUT', snapshot)
  expect((await waiting).json).toMatchObject({ clientId: 'C1', requestId: 'r1' })
})

test('of copies sent at once, the one that was accepted counts', async () => {
  const receiver = await startReceiver()
  const { emulator } = await startFixture({ webhookUrl: receiver.url })
  receiver.answerWith({}, { status: 500 })
  const where = { status: 'delivered', 'attempts.1.outcome': 'refused' }
  const waiting = wait(emulator, { for: 'delivery', where })
  await takenIn(emulator)
  await emulator.control('/deliveries', 'POST', { clientId: 'C1', body: 'x', copies: 2 })
  expect((await waiting).json).toMatchObject({ attempts: [{ status: 200 }, { status: 500 }] })
})

test('?clientId= hears of that client alone', async () => {
  const { emulator, c1, c2 } = await startFixture()
  const theirs = wait(emulator, { for: 'order', where: { requestId: 'r*' } }, '?clientId=C2')
  await takenIn(emulator)
  await c1.createCheckout('r1')
  await c2.createCheckout('r2')
  expect((await theirs).json).toMatchObject({ clientId: 'C2', requestId: 'r2' })
})

test('in vain it ends with 408 and the nearest misses', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('other')
  await c1.createCheckout('r1')
  const { orderId } = await c1.order('r1')
  const where = { requestId: 'r1', orderStatus: 'COMPLETED', 'metadata.a': 1 }
  const answer = await wait(emulator, { for: 'order', where, timeoutMs: 10 })
  expect(answer.status).toBe(408)
  expect(answer.json).toMatchObject({
    error: {
      code: 'wait_timed_out',
      message: `No order with requestId "r1", orderStatus "COMPLETED", metadata.a 1 within 10 ms. The nearest, ${orderId}, differs: orderStatus is "CREATED", metadata.a is null.`,
    },
    nearest: [
      {
        id: orderId,
        clientId: 'C1',
        requestId: 'r1',
        differs: [
          { member: 'orderStatus', wanted: 'COMPLETED', found: 'CREATED' },
          { member: 'metadata.a', wanted: 1, found: null },
        ],
      },
      { requestId: 'other', differs: [{ member: 'requestId' }, {}, {}] },
    ],
  })
})

test.each([
  [{ for: 'orders' }, 'for: '],
  [{}, 'for: '],
  [
    { for: 'order', where: { request_id: 'r1' } },
    'where.request_id: is not a field of an order; did you mean `requestId`?',
  ],
  [
    { for: 'order', where: { status: 'x' } },
    'where.status: is not a field of an order; did you mean `orderStatus`?',
  ],
  [
    { for: 'delivery', where: { outcome: 'accepted' } },
    'where.outcome: is not a field of a delivery; did you mean `attempts.0.outcome`?',
  ],
  [{ for: 'order', where: { errorCode: '9004' } }, 'did you mean `errorReason.errorCode`?'],
  [
    { for: 'delivery', where: { 'attempts.0.outcom': 'x' } },
    'where.attempts.0.outcom: is not a field of a delivery',
  ],
  [
    { for: 'delivery', where: { status: 'ok' } },
    'where.status: is never "ok"; use pending, delivered, dead, skipped or held',
  ],
  [
    { for: 'delivery', where: { 'attempts.1.outcome': 'acepted' } },
    'where.attempts.1.outcome: is never "acepted"; did you mean `accepted`?',
  ],
  [{ for: 'delivery', where: { 'attempts.length': 'two' } }, 'where.attempts.length: is a number, not "two"'],
  [{ for: 'order', where: { waitsForPayer: 'yes' } }, 'where.waitsForPayer: is true or false, not "yes"'],
  [{ for: 'order', requestId: 'r1' }, 'requestId: unknown key `requestId`; put it into `where`'],
  [
    { for: 'delivery', where: { statu: 'x' } },
    'where.statu: is not a field of a delivery; did you mean `status`?',
  ],
  [{ for: 'request', where: { 'diagnosis.couse': 'x' } }, 'did you mean `diagnosis.cause`?'],
  [{ for: 'order', where: { 'requestId.x': 'r1' } }, 'where.requestId.x: is not a field'],
  [
    { for: 'order', where: { scenario: 'happy' } },
    'where.scenario: has fields of its own; name one, like `scenario.id`',
  ],
  [{ for: 'order', where: { metadata: 'x' } }, 'name one, like `metadata.<name>`'],
  [{ for: 'order', where: { refunds: 1 } }, 'name one, like `refunds.length`'],
  [{ for: 'request', where: { diagnosis: 'token.missing' } }, 'name one, like `diagnosis.cause`'],
  [{ for: 'order', where: { constructor: 'r1' } }, 'where.constructor: is not a field of an order'],
  [
    { for: 'order', where: { requestId: ['r1'] } },
    'where.requestId: must be a text, a number, true, false or null',
  ],
  [{ for: 'order', where: 'requestId=r1' }, 'where: '],
  [{ for: 'order', timeoutMs: -1 }, 'timeoutMs: '],
  [{ for: 'order', timeoutMs: 600_001 }, 'timeoutMs: '],
  [{ for: 'order', timeout: 1 }, 'timeout: '],
])('%j is refused in words', async (body, words) => {
  const emulator = await startTestEmulator()
  const answer = await wait(emulator, body)
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining(JSON.stringify(words).slice(1, -1)),
  ])
})

test.each([
  [{ for: 'order', where: { kind: 'pay*', waitsForPayer: 'true', charge: '1*', 'metadata.status': 2 } }],
  [{ for: 'order', where: { orderStatus: 'ON_REVIEW', 'refunds.0.status': 'ON_REVIEW', kind: null } }],
  [{ for: 'delivery', where: { 'attempts.0.outcome': 'acc*', 'attempts.1.status': null, status: '*' } }],
  [{ for: 'request', where: { operation: 'create-*', status: '4*', 'diagnosis.cause': 'signature.*' } }],
])('%j may come to be', async (body) => {
  const emulator = await startTestEmulator()
  expect((await wait(emulator, { ...body, timeoutMs: 0 })).status).toBe(408)
})

test('a status that is nearly one is called so when it did not come', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  const where = { requestId: 'r1', orderStatus: 'COMPLETE' }
  const { json } = await wait(emulator, { for: 'order', where, timeoutMs: 0 })
  expect(json).toMatchObject({
    error: { message: expect.stringContaining('did you mean `COMPLETED`? The nearest, ') },
  })
})

test('an unknown client has nothing to wait for', async () => {
  const emulator = await startTestEmulator()
  expect((await wait(emulator, { for: 'order', where: { clientId: 'nobody' } })).status).toBe(404)
  expect((await wait(emulator, { for: 'order' }, '?clientId=nobody')).status).toBe(404)
})

test('removing the client ends its waits', async () => {
  const { emulator } = await startFixture()
  const waiting = wait(emulator, { for: 'order' }, '?clientId=C1')
  await takenIn(emulator)
  await emulator.control('/clients/C1', 'DELETE')
  const { status, json } = await waiting
  expect([status, json]).toMatchObject([404, { error: { code: 'client_unknown' } }])
})

test('stopping the emulator ends all waits with 503', async () => {
  const { emulator } = await startFixture()
  // Over connections of their own: `close` cuts those of the test's client.
  const own = (query: string, body = '{"for":"order"}') =>
    fetch(`${emulator.url}/_emulator/wait${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  const waits = Promise.all([own(''), own('?clientId=C1')])
  // Over a third one, which is opened after theirs. `takenIn` has one that is open already, so it may be quicker than they,
  // and Node 26 cuts a connection over which nothing has come yet when it closes.
  expect((await own('', '{"for":"order","timeoutMs":0}')).status).toBe(408)
  await emulator.close()
  expect((await waits).map(({ status }) => status)).toEqual([503, 503])
})

test('of a where with very many members the first fifty are looked at', async () => {
  const emulator = await startTestEmulator()
  const where = Object.fromEntries(Array.from({ length: 19_000 }, (_, n) => [`member${n}`, 1]))
  const answer = await emulator.send('/_emulator/wait', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { for: 'order', where },
  })
  expect(answer.status).toBe(400)
  expect(Object(answer.json.error).message).toMatch(
    /^where: may have at most 50 fields; .*and 31 more problems$/,
  )
})

test('a field named like a property of every object gets no suggestion', async () => {
  const answer = await wait(await startTestEmulator(), { for: 'order', where: { constructor: 'r1' } })
  expect(answer.text).not.toContain('did you mean')
})
