import { expect, onTestFinished, test } from 'vitest'
import { configSchema } from '../../src/app/config.ts'
import { createEmulator } from '../../src/app/emulator.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { type Received, startReceiver } from '../support/receiver.ts'

/** Two clients with URLs at one receiver. */
async function given() {
  const receiver = await startReceiver()
  const fixture = await startFixture({ webhookUrl: receiver.url })
  const act = async (path: string, body: object = {}, clientId = 'C1') =>
    fixture.emulator.control(
      `/deliveries${path}${path.endsWith('resend') ? '' : `?clientId=${clientId}`}`,
      'POST',
      body,
    )
  const statuses = async () =>
    (await fixture.c1.deliveries()).map(({ orderStatus, status }) => [orderStatus, status])
  return { ...fixture, receiver, act, statuses }
}

/** A call that is refused. */
async function refusal(emulator: TestEmulator, path: string, body: object = {}) {
  const headers = { 'content-type': 'application/json' }
  const { status, json } = await emulator.send(`/_emulator/deliveries${path}`, {
    method: 'POST',
    headers,
    body,
  })
  return { status, error: JSON.stringify(json.error) }
}

test('a hold keeps webhooks back while orders and time go on, and a release lets them go in order', async () => {
  const { c1, receiver, act, statuses } = await given()
  expect((await act('/hold')).json).toEqual({ clientIds: ['C1'], where: {}, held: 0 })
  await c1.createCheckout('r1')
  const ledger = await c1.advance('10s')
  expect(ledger.deliveries).toEqual([])
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(await statuses()).toEqual([
    ['CREATED', 'held'],
    ['COMPLETED', 'held'],
  ])
  expect((await act('/release')).json).toEqual({ clientIds: ['C1'], where: {}, released: 2 })
  await receiver.received(2)
  expect(receiver.requests.map(({ json }) => json.orderStatus)).toEqual(['CREATED', 'COMPLETED'])
})

test('a hold of one event lets the later ones overtake it', async () => {
  const { c1, receiver, act } = await given()
  await act('/hold', { where: { requestId: 'r1', orderStatus: 'CREATED' } })
  await c1.createCheckout('r1')
  await c1.createCheckout('r2')
  await c1.advance('10s')
  const arrived = receiver.requests.map(({ json }) => `${json.requestId} ${json.orderStatus}`)
  expect(arrived.toSorted()).toEqual(['r1 COMPLETED', 'r2 COMPLETED', 'r2 CREATED'])
  await act('/release', { where: { requestId: 'r1', orderStatus: 'CREATED' } })
  expect((await receiver.received(4))[3]?.json).toMatchObject({ requestId: 'r1', orderStatus: 'CREATED' })
})

test('what a hold and a release count right after a create does not depend on the next turn', async () => {
  const { c1, act, receiver } = await given()
  await act('/hold', { where: { orderStatus: 'CREATED' } })
  const requestIds = Array.from({ length: 20 }, (_, n) => `r${n}`)
  for (const requestId of requestIds) {
    await c1.createCheckout(requestId)
    expect((await act('/hold', { where: { requestId: 'another' } })).json).toMatchObject({ held: 0 })
  }
  for (const requestId of requestIds) {
    await c1.createCheckout(`${requestId}-more`)
    const where = { requestId: `${requestId}-more` }
    expect((await act('/release', { where })).json).toMatchObject({ released: 1 })
  }
  expect((await act('/release')).json).toMatchObject({ released: 20 })
  expect(await receiver.received(40)).toHaveLength(40)
})

test('a release ends the hold that asks for the same, and leaves the others', async () => {
  const { emulator, act } = await given()
  const holds = async () => (await emulator.control('/clients/C1')).json.holds
  const [created, r1] = [{ orderStatus: 'CREATED' }, { requestId: 'r1', orderStatus: 'CREATED' }]
  for (const where of [created, r1, created]) await act('/hold', { where })
  expect(await holds()).toEqual([r1, created])
  await act('/release', { where: created })
  expect(await holds()).toEqual([r1])
})

test('what is due and held is not skipped when the URL is taken away', async () => {
  const { c1, receiver, act, statuses } = await given()
  receiver.answerWith({ status: 500 }, {})
  await c1.createCheckout('r1')
  await c1.settle()
  await act('/hold')
  await c1.change({ webhookUrl: null })
  await c1.advance('1s')
  expect(await statuses()).toEqual([['CREATED', 'held']])
})

test('a hold keeps nothing back of another client', async () => {
  const { c2, receiver, act } = await given()
  await c2.setWebhookUrl(receiver.url)
  await act('/hold')
  await c2.createCheckout('r1')
  await receiver.received(1)
})

test('without clientId all clients are held, and the client shows it', async () => {
  const { emulator, c1 } = await given()
  const { json } = await emulator.control('/deliveries/hold', 'POST', { where: { orderStatus: 'FAILED' } })
  expect(json.clientIds).toEqual(expect.arrayContaining(['C1', 'C2']))
  expect((await emulator.control('/clients/C2')).json.holds).toEqual([{ orderStatus: 'FAILED' }])
  await emulator.control('/deliveries/release', 'POST')
  expect((await emulator.control(`/clients/${c1.clientId}`)).json).not.toHaveProperty('holds')
})

test('all clients can be held while one of them is being removed', async () => {
  const { emulator } = await given()
  const clients = await Promise.all(Array.from({ length: 10 }, () => emulator.addClient()))
  const calls = clients.flatMap(({ clientId }) => [
    emulator.control(`/clients/${clientId}`, 'DELETE'),
    emulator.control('/deliveries/hold', 'POST'),
    emulator.control('/deliveries/release', 'POST'),
  ])
  await expect(Promise.all(calls)).resolves.toHaveLength(30)
})

test('a reset that keeps the clients ends their holds', async () => {
  const { emulator, act } = await given()
  await act('/hold')
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect((await emulator.control('/clients/C1')).json).not.toHaveProperty('holds')
})

test('a member that deliveries do not have is refused by name', async () => {
  const { emulator } = await given()
  expect(await refusal(emulator, '/hold', { where: { requestID: 'r1' } })).toEqual({
    status: 400,
    error: expect.stringMatching(/invalid_input.*requestID/),
  })
})

test('a dead letter can be sent again, with the same id and bytes', async () => {
  const { c1, receiver, act } = await given()
  receiver.answerWith({ status: 500 }, {})
  await c1.change({ settings: { 'webhook.retry.max': 0 } })
  await c1.createCheckout('r1')
  await c1.settle()
  const [dead] = await c1.deliveries()
  expect(dead).toMatchObject({ status: 'dead' })
  expect((await act(`/${dead?.id}/resend`)).json).toMatchObject({ id: dead?.id, status: 'pending' })
  const [first, second] = await receiver.received(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.text).toBe(first?.text)
  await c1.settle()
  expect((await c1.deliveries())[0]).toMatchObject({ status: 'delivered', attempts: [{ n: 1 }, { n: 2 }] })
})

test('what is held can be sent alone, though the hold stays', async () => {
  const { c1, receiver, act, statuses } = await given()
  await act('/hold')
  await c1.createCheckout('r1')
  await c1.advance('10s')
  const [, completed] = await c1.deliveries()
  await act(`/${completed?.id}/resend`)
  expect((await receiver.received(1))[0]?.json).toMatchObject({ orderStatus: 'COMPLETED' })
  await c1.settle()
  expect(await statuses()).toEqual([
    ['CREATED', 'held'],
    ['COMPLETED', 'delivered'],
  ])
})

test.each([
  ['no URL is registered', null, 'no_webhook_url'],
  ['the URL answered 410', 'gone', 'webhook_paused'],
])('nothing can be sent again while %s', async (_, url, code) => {
  const { c1, receiver, emulator } = await given()
  if (url === 'gone') receiver.answerWith({ status: 410 })
  await c1.createCheckout('r1')
  await c1.settle()
  if (url === null) await c1.change({ webhookUrl: null })
  const [created] = await c1.deliveries()
  expect(await refusal(emulator, `/${created?.id}/resend`)).toEqual({
    status: 409,
    error: expect.stringContaining(code),
  })
})

test('an unknown delivery cannot be sent again', async () => {
  const { emulator } = await given()
  expect((await refusal(emulator, '/del_x/resend')).status).toBe(404)
})

test('a webhook made by hand is sent at once and is on record with its answer', async () => {
  const { c1, receiver, act } = await given()
  await c1.createCheckout('r1')
  await c1.settle()
  const { status, json } = await act('', {
    clientId: 'C1',
    event: { requestId: 'r1', orderStatus: 'COMPLETED' },
  })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    requestId: 'r1',
    orderStatus: 'COMPLETED',
    status: 'delivered',
    attempts: [{ n: 1, outcome: 'accepted', status: 200 }],
  })
  const order = await c1.order('r1')
  expect(order.orderStatus, 'nothing of the order has changed').toBe('CREATED')
  expect(receiver.requests[1]?.json).toEqual({
    requestId: 'r1',
    clientId: 'C1',
    orderId: order.orderId,
    orderStatus: 'COMPLETED',
    orderType: 'CHECKOUT',
    eventType: 'service-sdk-transaction-status',
  })
  c1.verifyWebhook(receiver.requests[1])
})

test('a body of JSON is sent as it is written', async () => {
  const { c1, receiver, emulator } = await given()
  const body = '{"b":12345678901234567890, "1":1.10,"b":-0}'
  const answer = await emulator.send('/_emulator/deliveries', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"clientId":"${c1.clientId}","body":${body} }`,
  })
  expect(answer.status).toBe(201)
  expect(receiver.requests.map(({ text }) => text)).toEqual([body])
})

test('what was sent by hand and refused is not tried again, also after a restart of time', async () => {
  const { c1, receiver, act } = await given()
  receiver.answerWith({ status: 500 })
  const { json } = await act('', {
    body: 'no JSON at all',
    headers: { 'Content-Type': 'text/plain', 'user-agent': null },
  })
  expect(json).toMatchObject({
    status: 'dead',
    body: 'no JSON at all',
    attempts: [{ outcome: 'refused', status: 500 }],
  })
  await c1.advance('1h')
  expect(receiver.requests).toHaveLength(1)
  expect(receiver.requests[0]?.headers).toMatchObject({ 'content-type': 'text/plain' })
  expect(receiver.requests[0]?.headers).not.toHaveProperty('user-agent')
})

test.each([
  ['webhook.auth', 'hmac-body', ({ headers }: Received) => headers.signature],
  ['webhook.format', 'jwt', ({ json }: Received) => json.payload],
])('with %s: %s, sign: wrong takes another key', async (name, value, signatureOf) => {
  const { c1, receiver, act } = await given()
  await c1.createCheckout('r1')
  await c1.settle()
  await c1.change({ settings: { [name]: value } })
  for (const sign of [true, true, 'wrong']) await act('', { event: { requestId: 'r1' }, sign })
  const [, right, again, wrong] = receiver.requests.map(signatureOf)
  expect(right).toEqual(expect.any(String))
  expect(again).toBe(right)
  expect(wrong).not.toBe(right)
})

test('an event by hand has the error of its order, unless it states another status', async () => {
  const { c1, receiver, act } = await given()
  await c1.change({ defaultScenario: 'fail-9004' })
  await c1.createCheckout('r1')
  await c1.advance('1h')
  for (const stated of [{}, { orderStatus: 'COMPLETED' }, { errorCode: '1' }])
    await act('', { event: { requestId: 'r1', ...stated } })
  expect(receiver.requests.slice(2).map(({ json }) => [json.orderStatus, json.errorCode])).toEqual([
    ['FAILED', '9004'],
    ['COMPLETED', undefined],
    ['FAILED', '1'],
  ])
})

test.each([
  ['its client is removed', (emulator: TestEmulator) => emulator.control('/clients/C1', 'DELETE')],
  ['its world is reset', (emulator: TestEmulator) => emulator.control('/reset?clientId=C1', 'POST')],
])('what hangs is given up at once when %s', async (_, end) => {
  const { c1, emulator, receiver, act } = await given()
  await c1.change({ settings: { 'webhook.timeout': '60s' } })
  receiver.answerWith('hang')
  const sent = act('', { body: 1, copies: 50 }).catch((error: unknown) => error)
  await receiver.received(1)
  await end(emulator)
  await sent
  expect(receiver.requests).toHaveLength(1)
})

test('what was sent by hand and refused is told as given up, not as to be tried again', async () => {
  const receiver = await startReceiver()
  receiver.answerWith({ status: 500 })
  const bugs: unknown[] = []
  const config = configSchema.parse({ clock: 'manual', webhookUrl: receiver.url })
  const emulator = await createEmulator(config, (error) => bugs.push(error))
  onTestFinished(() => emulator.close())
  const told: unknown[] = []
  emulator.feed.listen((event) => event.type === 'attempt' && told.push(event.result.next))
  const answer = await emulator.app.request('/_emulator/deliveries', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'localhost' },
    body: JSON.stringify({ clientId: config.clientId, body: 1 }),
  })
  expect(answer.status).toBe(201)
  expect(told).toEqual([{ status: 'dead' }])
  expect(bugs).toEqual([])
})

test('an advance waits for what is being sent by hand, and no longer', async () => {
  const { c1, emulator, receiver, act } = await given()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ after: promise })
  const sent = act('', { body: 1 })
  await receiver.received(1)
  const advanced = c1.advance('1s')
  for (let calls = 0; calls < 5; calls++) await emulator.control('/health')
  resolve()
  expect((await sent).json).toMatchObject({ status: 'delivered' })
  const { from, now } = await advanced
  expect(now).toBe(from + 1_000)
})

test('the end of what was sent by hand leaves alone what has been sent again meanwhile', async () => {
  const { c1, receiver, act } = await given()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ after: promise }, { status: 500 })
  const sent = act('', { body: 1 })
  await receiver.received(1)
  await act(`/${(await c1.deliveries())[0]?.id}/resend`)
  await receiver.received(2)
  resolve()
  await sent
  await c1.settle()
  expect(await c1.deliveries()).toMatchObject([
    { status: 'pending', attempts: [{ outcome: 'accepted' }, { outcome: 'refused' }] },
  ])
})

test.each([
  [{ sign: false }, /missing|required/i],
  [{ sign: 'wrong' }, /No matching signature/],
  [{ sign: 'old' }, /too old/],
  [{ timestamp: '10m' }, /too new/],
  [{ tamper: true }, /No matching signature/],
  [{ truncate: 3 }, /No matching signature/],
])('a webhook sent with %j is refused by the stock verifier', async (wrong, reason) => {
  const { c1, receiver, act } = await given()
  const { json } = await act('', { body: { a: 1 }, ...wrong })
  expect(() => c1.verifyWebhook(receiver.requests[0])).toThrow(reason)
  const { bodyText, attempts } = json
  const sent = Array.isArray(attempts) ? (attempts[0].bodyText ?? bodyText) : undefined
  expect(receiver.requests[0]?.text, 'the record has what was sent').toBe(sent)
})

test('what is wrong with a webhook made by hand is wrong again when it is sent again', async () => {
  const { c1, receiver, act } = await given()
  const { json } = await act('', { body: { a: 1 }, sign: 'wrong' })
  await act(`/${json.id}/resend`)
  await c1.settle()
  expect(() => c1.verifyWebhook(receiver.requests[1])).toThrow(/No matching signature/)
})

test('copies have one id and one body, and arrive together if wanted', async () => {
  const { receiver, act } = await given()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ after: promise })
  const answer = act('', { body: { a: 1 }, copies: 50, together: true })
  await receiver.received(50)
  resolve()
  const attempts = Array.from({ length: 50 }, (_, index) => ({ n: index + 1, outcome: 'accepted' }))
  expect((await answer).json).toMatchObject({ attempts })
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('copies come one after the other otherwise', async () => {
  const { emulator, receiver, act } = await given()
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.answerWith({ after: promise })
  const answer = act('', { body: { a: 1 }, copies: 2 })
  await receiver.received(1)
  // Time in which a second one would have come.
  for (let calls = 0; calls < 5; calls++) await emulator.control('/health')
  expect(receiver.requests).toHaveLength(1)
  resolve()
  await answer
  expect(receiver.requests).toHaveLength(2)
})

test('a body that is cut breaks the connection, and the record says how much was sent', async () => {
  const { receiver, act } = await given()
  const { json } = await act('', { body: { text: 'x'.repeat(100) }, cut: 20 })
  expect(json).toMatchObject({
    status: 'dead',
    attempts: [{ outcome: 'connection', error: 'cut on purpose after 20 of 111 bytes' }],
  })
  expect(receiver.requests, 'it never came whole').toEqual([])
})

test.each([
  ['neither event nor body', {}, /either `event`/],
  ['both', { event: { requestId: 'r' }, body: 1 }, /either `event`/],
  [
    'an event that lacks what no order knows',
    { event: { requestId: 'r' } },
    /event\.orderId.*no order of C1/,
  ],
  ['a header that is none', { body: 1, headers: { 'a b': 'x' } }, /valid header name/],
  ['a header that would split', { body: 1, headers: { a: 'x\r\ny: z' } }, /valid header value/],
  ['no copies', { body: 1, copies: 0 }, /copies/],
])('sending by hand refuses %s', async (_, body, reason) => {
  const { emulator } = await given()
  expect(await refusal(emulator, '?clientId=C1', body)).toEqual({
    status: 400,
    error: expect.stringMatching(reason),
  })
})

test('sending by hand needs a URL', async () => {
  const { emulator } = await given()
  expect(await refusal(emulator, '', { clientId: 'C2', body: 1 })).toMatchObject({ status: 409 })
})

test('several deliveries are sent again in one call; one that cannot be says why', async () => {
  const { emulator, c1, c2, receiver } = await given()
  await c1.createCheckout('r1')
  await c1.advance('10s')
  await c2.createCheckout('r2')
  await c2.settle()
  await emulator.control('/clients/C2', 'PATCH', { webhookUrl: null })
  const ids = [...(await c1.deliveries()), ...(await c2.deliveries())].map(({ id }) => id)
  const before = receiver.requests.length
  const { items } = Object((await emulator.control('/deliveries/resend', 'POST', { ids })).json)
  expect(items.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
    null,
    null,
    'no_webhook_url',
  ])
  await expect.poll(() => receiver.requests.length).toBe(before + 2)
})

test('if one of several deliveries is unknown or of another client, none is sent again', async () => {
  const { emulator, c1, c2, receiver } = await given()
  for (const client of [c1, c2]) {
    await client.createCheckout('r1')
    await client.advance('10s')
  }
  const [own] = await c1.deliveries()
  const [others] = await c2.deliveries()
  const before = receiver.requests.length
  for (const [path, ids, status] of [
    ['/resend?clientId=C1', [own?.id, others?.id], 404],
    ['/resend', [own?.id, 'del_x'], 404],
    ['/resend', [], 400],
    ['/resend', 'del_x', 400],
    ['/resend', Array(1001).fill(own?.id), 400],
  ] as const)
    expect([path, (await refusal(emulator, path, { ids })).status]).toEqual([path, status])
  await c1.settle()
  expect(receiver.requests).toHaveLength(before)
})
