import { expect, test } from 'vitest'
import { startFixture, startTestEmulator } from '../support/emulator.ts'

const json = { 'content-type': 'application/json' }

test('GET /health needs nothing and says which version answers', async () => {
  const emulator = await startTestEmulator({ controlToken: 'secret' })
  const answer = await emulator.send('/_emulator/health', {
    method: 'GET',
    headers: { host: 'evil.example' },
  })
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d/),
    uptimeMs: expect.any(Number),
  })
})

test('GET /health is as strict as other calls, and the same, whether the rest has been loaded or not', async () => {
  const emulator = await startTestEmulator()
  const ask = async (query: string) => {
    const {
      status,
      headers,
      json: body,
    } = await emulator.send(`/_emulator/health${query}`, { method: 'GET' })
    return {
      status,
      type: headers['content-type'],
      kept: headers['cache-control'],
      members: Object.keys(body),
    }
  }
  const first = await ask('')
  expect(await ask('?clientID=a')).toMatchObject({ status: 400, members: ['error'] })
  expect(await ask('?clientId=nobody')).toEqual(first)
  const wrong = await emulator.send('/_emulator/health', { method: 'POST', headers: json, body: {} })
  expect(wrong.status).toBe(405)
  expect(await ask('')).toEqual(first)
  expect(await ask('?')).toEqual(first)
})

test('with a control token nothing else answers without it, and the service does', async () => {
  const emulator = await startTestEmulator({ controlToken: 'secret' })
  for (const path of ['/clients', '/orders', '/clock', '/requests', '/choices', '/nothing']) {
    expect((await emulator.send(`/_emulator${path}`, { method: 'GET' })).status).toBe(401)
  }
  const credentials = { clientId: 'demo-client', apiSecret: 'demo-secret' }
  const token = await emulator.send('/_emulator/access-token', {
    method: 'POST',
    headers: json,
    body: credentials,
  })
  expect(token.status).toBe(200)
  const query = 'requestId=r&clientId=demo-client'
  const lookup = await emulator.send(`/v1/client/orders?${query}`, {
    method: 'GET',
    headers: { 'access-token': String(token.json.accessToken), host: 'shop.example' },
  })
  expect(lookup.status).toBe(200)
})

test('an order is shown whole: its time line, its history, its deliveries', async () => {
  const { c1, emulator } = await startFixture()
  const metadata = '{"z":1,"a":12345678901234567890,"__proto__":{"x":1}}'
  const body = JSON.stringify(c1.checkout('r1')).replace('}', `,"metadata":${metadata}}`)
  await c1.createCheckout(JSON.parse(body), { signed: 'fiatAmount=10.00&requestId=r1' })
  await c1.advance('3s')
  const shown = await c1.order('r1')
  const createdAt = Number(shown.createdAt)
  expect(shown).toMatchObject({
    clientId: 'C1',
    kind: 'checkout',
    fiatAmount: '10.00',
    orderStatus: 'CREATED',
    paymentStatus: 'COMPLETED',
    errorReason: null,
    refunds: [],
    scenario: { id: 'happy', why: 'default' },
    expiresAt: createdAt + 900_000,
    nextDueAt: createdAt + 5000,
    timeline: [
      { dueAt: createdAt + 2000, what: 'pay completed', doneAt: createdAt + 2000 },
      { dueAt: createdAt + 5000, what: 'order COMPLETED', doneAt: null },
    ],
    history: [
      { at: createdAt, what: 'created' },
      { what: 'paid', step: 0 },
      { what: 'payment', to: 'COMPLETED' },
    ],
    deliveries: [expect.stringMatching(/^del_/)],
  })
  expect((await emulator.control(`/orders/${shown.orderId}`)).json).toEqual(shown)
})

test('metadata is shown as the text that came in (N69)', async () => {
  const { c1, emulator } = await startFixture()
  const metadata = '{"z":1,"a":12345678901234567890,"__proto__":{"x":1}}'
  const body = `${JSON.stringify(c1.checkout('r1')).slice(0, -1)},"metadata":${metadata}}`
  await c1.post('/v1/client/checkout/create-order', body, { signed: 'fiatAmount=10.00&requestId=r1' })
  expect((await emulator.control('/orders?requestId=r1')).text).toContain(`"metadata":${metadata}`)
})

test('a list is paged by a cursor, oldest first, or newest', async () => {
  const { c1, emulator } = await startFixture()
  for (const requestId of ['r1', 'r2', 'r3']) await c1.createCheckout(requestId)
  const first = await emulator.control('/orders?limit=2')
  expect(first.items.map(({ requestId }) => requestId)).toEqual(['r1', 'r2'])
  const second = await emulator.control(`/orders?limit=2&cursor=${first.json.next}`)
  expect(second.items.map(({ requestId }) => requestId)).toEqual(['r3'])
  expect(second.json.next).toBeNull()
  const newest = await emulator.control('/orders?limit=1&order=newest')
  expect(newest.items.map(({ requestId }) => requestId)).toEqual(['r3'])
})

test.each([
  ['/orders?limit=0', 400, 'invalid_input'],
  ['/orders?limit=x', 400, 'invalid_input'],
  ['/orders?cursor=nonsense', 400, 'bad_cursor'],
  ['/orders?colour=red', 400, 'invalid_input'],
  ['/orders?limit=1&limit=2', 400, 'invalid_input'],
  ['/orders/unknown', 404, 'order_unknown'],
  ['/deliveries/unknown', 404, 'delivery_unknown'],
  ['/requests/unknown', 404, 'request_unknown'],
  ['/nothing', 404, 'not_found'],
  ['/clock?clientId=nobody', 404, 'client_unknown'],
])('GET %s is answered %i %s', async (path, status, code) => {
  const emulator = await startTestEmulator()
  const answer = await emulator.send(`/_emulator${path}`, { method: 'GET' })
  expect(answer.status).toBe(status)
  expect(answer.json).toMatchObject({ error: { code } })
})

test('a wrong method is answered 405 with those that are possible', async () => {
  const emulator = await startTestEmulator()
  const answer = await emulator.send('/_emulator/clock', { method: 'DELETE' })
  expect(answer.status).toBe(405)
  expect(answer.headers.allow).toBe('GET, PUT')
})

test('scenarios/next binds as many coming orders as it says, of the client it names', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1', count: 2 })
  for (const requestId of ['r1', 'r2', 'r3']) await c1.createCheckout(requestId)
  await c2.createCheckout('r1')
  const chosen = async (client: typeof c1, requestId: string) => (await client.order(requestId)).scenario
  expect(await chosen(c1, 'r1')).toEqual({ id: 'fail-9004', why: 'next' })
  expect(await chosen(c1, 'r2')).toEqual({ id: 'fail-9004', why: 'next' })
  expect(await chosen(c1, 'r3')).toEqual({ id: 'happy', why: 'default' })
  expect(await chosen(c2, 'r1')).toEqual({ id: 'happy', why: 'default' })
})

test('a refused create takes no binding', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  expect((await c1.createCheckout('r1', { signed: 'wrong' })).status).toBe(401)
  await c1.createCheckout('r1')
  expect((await c1.order('r1')).scenario).toMatchObject({ id: 'fail-9004' })
  expect((await c1.createCheckout('r1')).status, 'a duplicate takes none either').toBe(401)
})

test('parallel creates share a binding for one: one takes it', async () => {
  const { emulator, c1 } = await startFixture()
  await emulator.control('/scenarios/next', 'POST', { scenario: 'fail-9004', clientId: 'C1' })
  const requestIds = ['r1', 'r2', 'r3', 'r4']
  await Promise.all(requestIds.map((requestId) => c1.createCheckout(requestId)))
  const orders = await Promise.all(requestIds.map((requestId) => c1.order(requestId)))
  expect(orders.filter(({ scenario }) => JSON.stringify(scenario).includes('fail-9004'))).toHaveLength(1)
})

test('a scenario is chosen by e-mail tag and by the client’s default; a tag that names none is journalled', async () => {
  const { c1 } = await startFixture({ defaultScenario: 'never-pays' })
  await c1.createCheckout(c1.checkout('r1', { email: 'buyer+fail-9005@example.com' }))
  expect((await c1.order('r1')).scenario).toEqual({ id: 'fail-9005', why: 'e-mail tag' })
  const answer = await c1.createCheckout(c1.checkout('r2', { email: 'buyer+fail-9oo4@example.com' }))
  expect((await c1.order('r2')).scenario).toEqual({ id: 'never-pays', why: 'default' })
  expect(JSON.stringify((await c1.journalOf(answer)).notes)).toContain('did you mean')
})

test('a scenario that does not exist cannot be bound', async () => {
  const emulator = await startTestEmulator()
  const body = { scenario: 'fail-904' }
  const answer = await emulator.send('/_emulator/scenarios/next', { method: 'POST', headers: json, body })
  expect(answer.status).toBe(404)
  expect(answer.text).toContain('fail-9004')
})

test('reset goes back to the start; kept clients keep their credentials and nothing else', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await emulator.control('/reset', 'POST', { keep: ['clients'] })
  expect((await c1.fiatOrders('r1')).data).toEqual([])
  expect((await emulator.control('/requests')).items).toHaveLength(1)
  await emulator.control('/reset', 'POST')
  expect((await emulator.control('/clients')).items.map(({ clientId }) => clientId)).toEqual(['demo-client'])
})

test('reset of one client leaves the others alone', async () => {
  const { emulator, c1, c2 } = await startFixture()
  await c1.createCheckout('r1')
  await c2.createCheckout('r1')
  await emulator.control('/reset?clientId=C1', 'POST')
  expect((await c1.fiatOrders('r1')).data).toEqual([])
  expect((await c2.fiatOrders('r1')).data).toHaveLength(1)
  expect((await c1.createCheckout('r1')).status).toBe(200)
})

test('after a reset the same requests give the same ids', async () => {
  const { emulator } = await startFixture()
  const ids = async () => {
    await emulator.control('/reset', 'POST')
    const client = await emulator.addClient({ clientId: 'again' })
    await client.createCheckout('r1')
    return (await client.order('r1')).orderId
  }
  expect(await ids()).toBe(await ids())
})

test('the journal shows requests with their answers, secrets masked, filtered by what they were about', async () => {
  const { emulator, c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.fiatOrders('r2')
  const { items } = await emulator.control('/requests?clientId=C1&requestId=r1')
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    operation: 'create-checkout-order',
    method: 'POST',
    path: '/v1/client/checkout/create-order',
    status: 200,
    notes: ['signature form: short', 'scenario: happy (default)'],
    diagnosis: null,
  })
  const { text } = await emulator.control('/requests')
  expect(text).not.toContain(c1.apiSecret)
  await c1.issueToken()
  expect((await emulator.control('/requests?operation=access-token')).text).not.toContain(c1.apiSecret)
})

test('choices list every choice with the value that holds for a client', async () => {
  const { emulator } = await startFixture({ settings: { 'signature.checkout': 'short' } })
  const { items } = await emulator.control('/choices?clientId=C1')
  expect(items.length).toBeGreaterThan(60)
  expect(JSON.stringify(items.find(({ n }) => n === 'N19'))).toContain('"value":"short"')
})

test('resets at once take their turns', async () => {
  const emulator = await startTestEmulator()
  const resets = await Promise.all(Array.from({ length: 5 }, () => emulator.control('/reset', 'POST')))
  expect(resets.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await emulator.control('/clients')).items).toHaveLength(1)
})

test('the journal keeps no token that was given out', async () => {
  const { emulator, c1 } = await startFixture()
  const token = await c1.issueToken()
  expect((await emulator.control('/requests')).text).not.toContain(token)
})

test.each(['/clients?nonsense=1', '/scenarios?nonsense=1', '/requests/x?nonsense=1', '/orders/x?nonsense=1'])(
  'GET %s is refused: nothing in a query is ignored',
  async (path) => {
    const emulator = await startTestEmulator()
    expect((await emulator.send(`/_emulator${path}`, { method: 'GET' })).status).toBe(400)
  },
)

test.each([
  ['GET', '/orders?requestId=caf%E9', 'requestId: is not valid UTF-8, at "%E9"'],
  ['GET', '/requests?search=%', 'search: has a % without two hexadecimal digits after it'],
  ['GET', '/health?clientId=%FF', 'clientId: is not valid UTF-8'],
  ['GET', '/orders/%E9', 'path: is not valid UTF-8, at "%E9"'],
  ['GET', '/orders/50%', 'path: has a % without two hexadecimal digits after it, at "%"'],
  ['PUT', '/scenarios/caf%C3%A9%E9', 'path: is not valid UTF-8, at "%C3%A9%E9"'],
  ['DELETE', '/clients/%ED%A0%80', 'path: is not valid UTF-8'],
  ['POST', '/access-token?clientId=%E9', 'clientId: is not valid UTF-8'],
])('%s %s is refused: it cannot be decoded', async (method, path, words) => {
  const emulator = await startTestEmulator()
  const headers = { 'content-type': 'application/json' }
  const credentials = { clientId: 'demo-client', apiSecret: 'demo-secret' }
  const body = method === 'GET' ? {} : { headers, body: credentials }
  const answer = await emulator.send(`/_emulator${path}`, { method, ...body })
  const message = expect.stringContaining(words)
  expect([answer.status, answer.json]).toEqual([400, { error: { code: 'invalid_input', message } }])
})

test.each([
  ['text/plain', 415, 'unsupported_media_type'],
  ['application/json', 400, 'invalid_input'],
])('the token route words its errors like the control API: %s', async (contentType, status, code) => {
  const emulator = await startTestEmulator()
  const headers = { 'content-type': contentType }
  const answer = await emulator.send('/_emulator/access-token', { method: 'POST', headers, body: '{}' })
  expect(answer.status).toBe(status)
  expect(answer.json).toMatchObject({ error: { code } })
})

test.each(['256.1', '1.2.3.4.5', '4294967296', '0xffffffffff'])(
  'the host %s is an odd one, and no bug',
  async (host) => {
    const { emulator, c1 } = await startFixture()
    const query = { requestId: 'r', clientId: 'C1' }
    expect((await c1.lookUp('/v1/client/orders', query, { headers: { host } })).status).toBeLessThan(500)
    expect(
      (await emulator.send('/_emulator/clock', { method: 'GET', headers: { host } })).status,
    ).toBeLessThan(500)
  },
)

test('a signature over a body with half a surrogate pair is refused, and no bug', async () => {
  const { c1 } = await startFixture()
  const body = `${JSON.stringify(c1.checkout('r1')).slice(0, -1)},"interval":"\\ud800"}`
  const answer = await c1.post('/v1/client/checkout/create-order', body, { signed: 'wrong' })
  expect(answer.status).toBe(401)
})

test('a currency that wants billing data can still have subscriptions, which have none', async () => {
  const settings = {
    'currencies.catalog': [{ match: 'brl_*', requiredFields: ['billingData', 'requestDescription'] }],
  }
  const { c1 } = await startFixture({ settings })
  const without = await c1.createSubscription(c1.subscription('s1', { currencyId: 'brl_x' }))
  expect(without.text).toContain('requestDescription: is required')
  expect(without.text).not.toContain('billingData')
  const body = c1.subscription('s1', { currencyId: 'brl_x', requestDescription: 'a plan' })
  expect((await c1.createSubscription(body)).status).toBe(200)
})

test('all wrong fields are named, also those that a rule about others makes wrong (N28)', async () => {
  const { c1 } = await startFixture()
  const answer = await c1.createCheckout(c1.checkout('r1', { mode: 'returnAppUrl', lang: 'xx', email: 'a' }))
  for (const field of ['lang', 'email', 'targetApp']) expect(answer.text).toContain(`${field}: `)
})

test('a dropped step is not shown as coming', async () => {
  const { c1 } = await startFixture()
  await c1.createCheckout('r1')
  await c1.pay('r1', 'abandoned')
  expect(await c1.order('r1')).toMatchObject({ orderStatus: 'CREATED', timeline: [], nextDueAt: null })
})

test('a step after an early payment is shown at its moved moment before and after it is done', async () => {
  const { c1 } = await startFixture({ defaultScenario: 'happy-slow' })
  await c1.createCheckout('r1')
  const t0 = await c1.now()
  await c1.pay('r1', 'completed')
  const complete = { dueAt: t0 + 60_000, what: 'order COMPLETED' }
  expect(await c1.order('r1')).toMatchObject({ timeline: [{}, { ...complete, doneAt: null }] })
  await c1.advance('1m')
  expect(await c1.order('r1')).toMatchObject({ timeline: [{}, { ...complete, doneAt: t0 + 60_000 }] })
})
