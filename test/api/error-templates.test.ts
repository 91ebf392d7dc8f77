import { describe, expect, onTestFinished, test } from 'vitest'
import { paths, TestClient } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectOrderExists, expectVerificationFailed } from '../support/expect.ts'
import { Http } from '../support/http.ts'
import { RawCall } from '../support/raw-call.ts'

const template = {
  error: { type: '${code}', status: '${status}', text: '${message}', id: '${errorId}' },
  path: '${method} ${path}',
  order: '${requestId}',
  at: '${time:seconds}',
  errors: [{ field: '${problems.field}', reason: '${problems.reason}' }],
}

/** A client whose answers are not held to the OpenAPI document: the user's errors are not in it. */
async function withErrors(settings: object) {
  const { c1, emulator } = await startFixture({ settings: { errors: settings } })
  const http = new Http(emulator.url)
  onTestFinished(() => http.close())
  const send = http.send.bind(http)
  return { client: new TestClient({ send, control: emulator.control }, c1), emulator, send }
}

const at = Date.parse('2026-04-21T16:00:00Z') / 1000

describe('N80: errors in the words of a template', () => {
  test('name each wrong field of this very request, with its reason', async () => {
    const { client } = await withErrors({ template })
    const body = client.checkout('r1', { email: 'a', firstName: 1 })
    const { status, json, headers } = await client.createCheckout(body)
    expect(status).toBe(400)
    const message = expect.stringMatching(/^(email|firstName): .+; (email|firstName): .+$/)
    expect(json).toEqual({
      error: { type: 'bad_request', status: 400, text: message, id: headers['emulator-request-id'] },
      path: `POST ${paths.checkout}`,
      order: 'r1',
      at,
      errors: expect.arrayContaining([
        { field: 'email', reason: expect.stringContaining('@') },
        { field: 'firstName', reason: expect.stringContaining('expected text') },
      ]),
    })
  })

  test('have an empty list without fields, and leave out what has no value', async () => {
    const { client, send } = await withErrors({ template })
    const unknown = await send('/v1/client/order', {
      method: 'GET',
      headers: { 'access-token': client.accessToken },
    })
    expect(unknown.status).toBe(404)
    expect(unknown.json).toMatchObject({ error: { type: 'not_found', status: 404 }, errors: [], at })
    expect(unknown.json).not.toHaveProperty('order')
  })

  test.each([
    [405, 'PUT', 'application/json', '{}'],
    [415, 'POST', 'text/plain', '{}'],
    [413, 'POST', 'application/json', 'x'.repeat(1_100_000)],
  ])('word %s too', async (status, method, type, body) => {
    const { client, send } = await withErrors({ template: { s: '${status}', r: '${reason}' } })
    const answer = await send(paths.checkout, {
      method,
      headers: { 'access-token': client.accessToken, 'content-type': type },
      body,
    })
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ s: status, r: expect.stringMatching(/^[A-Z]/) })
  })

  test('word the 429 and 5xx of faults and of rate limits', async () => {
    const { client, emulator } = await withErrors({
      template: { c: '${code}' },
      codes: { 429: 'SLOW_DOWN', 503: 1009 },
    })
    const lookUp = () => client.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C1' })
    for (const status of [503, 429, 500])
      await emulator.control('/faults', 'POST', {
        on: 'orders',
        effect: { status },
        times: 1,
        clientId: 'C1',
      })
    expect((await lookUp()).json).toEqual({ c: 1009 })
    expect((await lookUp()).json).toEqual({ c: 'SLOW_DOWN' })
    expect((await lookUp()).json).toEqual({ c: 'internal_server_error' })
    await emulator.control('/settings?clientId=C1', 'PATCH', {
      limits: [{ on: 'orders', max: 1, per: '1m' }],
    })
    await lookUp()
    const limited = await lookUp()
    expect([limited.status, limited.json]).toEqual([429, { c: 'SLOW_DOWN' }])
  })

  test('of invalid input have a template of their own', async () => {
    const { client, send } = await withErrors({
      template: { fault: '${message}' },
      validationTemplate: [{ member: '${problems.field}' }],
      validationStatus: 422,
    })
    const invalid = await client.lookUp(paths.fiat, { requestId: '', clientId: 'C1' })
    expect([invalid.status, invalid.text]).toEqual([422, '[{"member":"requestId"}]'])
    const headers = { 'access-token': client.accessToken }
    expect((await send('/v1', { method: 'GET', headers })).json).toHaveProperty('fault')
  })

  test('keep what the API specification prints: a failed verification, 7001, and the 401 of a fault', async () => {
    const { client, emulator } = await withErrors({ template: { x: 1 }, validationTemplate: { y: 1 } })
    await client.createCheckout('r1')
    expectOrderExists(await client.createCheckout('r1'))
    expectVerificationFailed(await client.createCheckout('r2', { signed: 'x' }))
    const lookUp = (options = {}) => client.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C1' }, options)
    expectVerificationFailed(await lookUp({ headers: { 'access-token': 'nobody' } }))
    const fault = { on: 'orders', effect: { status: 401 }, times: 1, clientId: 'C1' }
    await emulator.control('/faults', 'POST', fault)
    expectVerificationFailed(await lookUp())
  })

  test('hold for one client; another one, and the control API, keep the usual bodies', async () => {
    const { emulator } = await withErrors({ template: { x: '${code}' } })
    const answer = await emulator.send(`${paths.fiat}?requestId=`, {
      method: 'GET',
      headers: { 'access-token': 'T2' },
    })
    expect(answer.json).toEqual({ error: expect.stringContaining('requestId: ') })
    const control = await emulator.send('/_emulator/orders/none', { method: 'GET' })
    expect(control.json).toEqual({ error: { code: 'order_unknown', message: expect.any(String) } })
  })

  test('hold for all clients, and for calls of nobody', async () => {
    const { emulator, send } = await withErrors({})
    await emulator.control('/settings', 'PATCH', { errors: { template: '{"why":"${message}"}' } })
    const { json } = await send('/v1/client/orderz', { method: 'GET' })
    expect(json).toEqual({ why: expect.stringContaining('/v1/client/orderz') })
  })
})

test.each([
  ['of the service', '/v1/client/orders', { x: 'bad_request', p: '/v1/client/orders' }],
  ['of the control API', '/_emulator/about', { error: { code: 'bad_request', message: expect.any(String) } }],
])('N80: a request that no app can read is answered in the words %s', async (_, path, body) => {
  const template = { x: '${code}', p: '${path}' }
  const { emulator } = await startFixture({}, { settings: { errors: { template } } })
  const head = `GET ${path}?a=1 HTTP/1.1\r\nhost: localhost\r\nx: a\0\r\n\r\n`
  const { text } = await new RawCall(emulator, head).end()
  const [, answer = ''] = text.split('\r\n\r\n')
  expect(JSON.parse(answer)).toEqual(body)
})

describe('settings for errors are refused:', () => {
  test.each([
    ['text that is no JSON', { template: '{"a":' }, 'is not JSON'],
    ['an unknown placeholder', { template: { a: '${problem}' } }, 'has no value for ${problem}'],
    ['an unknown format', { template: { a: '${time:second}' } }, 'did you mean `seconds`'],
    ['a field outside of a list', { template: { a: '${problems.field}' } }, 'outside of a list'],
    ['a code for a status that is no error', { codes: { 200: 'OK' } }, 'expected a status from 400 to 599'],
    ['a code for 401, which is printed', { codes: { 401: 'E401' } }, 'text `Client verification failed`'],
  ])('%s', async (_, errors, words) => {
    const { emulator } = await startFixture()
    const answer = await emulator.send('/_emulator/settings?clientId=C1', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: { errors },
    })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(words)
  })
})
