import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { paths } from '../support/client.ts'
import { startFixture } from '../support/emulator.ts'
import { expectStatus, expectVerificationFailed } from '../support/expect.ts'
import { operations } from '../support/operations.ts'

const mebibyte = 1024 * 1024

describe('N33: what plain HTTP has to say', () => {
  test.each(operations)('N33: another method on $name is 405, with Allow', async ({ path, method }) => {
    const { emulator } = await startFixture()
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((other) => other !== method)
    for (const other of others) {
      const answer = await emulator.send(path, { method: other, headers: { 'access-token': 'T1' } })
      expectStatus(answer, 405)
      expect(answer.headers.allow).toMatch(new RegExp(`^${method}(, HEAD)?$`))
      expect(answer.json).toEqual({ error: expect.any(String) })
    }
  })

  test('N64k: no CORS headers, for OPTIONS neither', async () => {
    const { emulator, c1 } = await startFixture()
    const headers = { origin: 'https://shop.test', 'access-control-request-method': 'POST' }
    const preflight = await emulator.send(paths.checkout, { method: 'OPTIONS', headers })
    expectStatus(preflight, 405)
    const call = await c1.createCheckout('r1', { headers })
    for (const answer of [preflight, call]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test.each([
    '/v1/client/order',
    '/v1/client/orders/',
    '/v1',
    '/',
    '/v1/client/checkout',
    '/v1//client/orders',
  ])('N33: %s is 404', async (path) => {
    const { emulator } = await startFixture()
    const answer = await emulator.send(`${path}?requestId=r1&clientId=C1`, {
      method: 'GET',
      headers: { 'access-token': 'T1' },
    })
    expectStatus(answer, 404)
    expect(answer.json).toEqual({ error: expect.any(String) })
  })

  test('N33: 404 names the nearest path', async () => {
    const { emulator } = await startFixture()
    const { json } = await emulator.send('/v1/client/order', { method: 'GET' })
    expect(json.error).toMatch(/\/v1\/client\/orders/)
  })

  test.each(operations.filter(({ method }) => method === 'POST'))(
    'N33: $name whose body is not announced as JSON is 415',
    async ({ call }) => {
      const { c1 } = await startFixture()
      for (const type of [
        null,
        '',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        'text/json',
      ]) {
        const answer = await call(c1, 'r1', { headers: { 'content-type': type } })
        expectStatus(answer, 415)
        expect(answer.json).toEqual({ error: expect.any(String) })
      }
    },
  )

  const padded = (body: object, size: number) => JSON.stringify(body).padEnd(size, ' ')
  const signed = 'fiatAmount=10.00&requestId=r1'

  test('N33: a body of 1 MiB is accepted, with Content-Length and in chunks', async () => {
    const { c1 } = await startFixture()
    expectStatus(await c1.post(paths.checkout, padded(c1.checkout('r1'), mebibyte), { signed }), 200)
    const chunks = chunked(padded(c1.checkout('r2'), mebibyte))
    expectStatus(await c1.post(paths.checkout, chunks, { signed: signed.replace('r1', 'r2') }), 200)
  })

  test.each(operations.filter(({ method }) => method === 'POST'))(
    'N33: $name with a larger body is 413, with Content-Length and in chunks',
    async ({ path }) => {
      const { c1, emulator } = await startFixture()
      const text = padded(c1.checkout('r1'), mebibyte + 1)
      for (const body of [text, chunked(text)]) {
        const answer = await c1.post(path, body, { signed, headers: { 'client-id': 'C1' } })
        expectStatus(answer, 413)
        expect(answer.json).toEqual({ error: expect.any(String) })
      }
      expect((await emulator.control('/orders')).items).toEqual([])
    },
  )

  test('N33, N22: with one webhook-url path switched off, that path is 404', async () => {
    const { c1 } = await startFixture({}, { settings: { 'paths.webhookUrl': 'fiat' } })
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/'), 404)
    expectStatus(await c1.setWebhookUrl('http://127.0.0.1:9/', {}, paths.fiatWebhookUrl), 200)
  })
})

test('N18, N33: a refusal on a lookup never says more than where to read why', async () => {
  const { c1 } = await startFixture()
  const answer = await c1.lookUp(paths.fiat, { requestId: 'r1', clientId: 'C2' })
  expectVerificationFailed(answer)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('emulator-'))).toEqual([
    'emulator-request-id',
    'emulator-diagnosis',
  ])
})

/** A text as a body without Content-Length. */
const chunked = (text: string) =>
  Readable.from([Buffer.from(text.slice(0, 1000)), Buffer.from(text.slice(1000))])
