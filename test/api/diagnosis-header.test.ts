import { expect, test } from 'vitest'
import { startEmulator } from '../../src/index.ts'
import type { Answer } from '../support/answer.ts'
import { paths } from '../support/client.ts'
import { type Fixture, startFixture, type TestEmulator } from '../support/emulator.ts'
import { openPage } from '../support/page.ts'
import { RawCall } from '../support/raw-call.ts'

const json = { 'content-type': 'application/json' }
const fault = (effect: object) => ({ on: 'orders', when: 'before', effect })

async function planned({ emulator, c1 }: Fixture, effect: object): Promise<Answer> {
  await emulator.control('/faults', 'POST', fault(effect))
  return c1.fiatOrders('r1')
}

async function repeated({ c1 }: Fixture): Promise<Answer> {
  await c1.createCheckout('r1')
  return c1.createCheckout('r1')
}

test.each<[string, number, (fixture: Fixture) => Promise<Answer>, string]>([
  ['a missing field', 400, ({ c1 }) => c1.createCheckout({ clientId: 'C1' }), 'input.missing'],
  ['a wrong signature', 401, ({ c1 }) => c1.createCheckout('r1', { signed: '' }), 'signature.empty-string'],
  ['a requestId that is taken', 401, repeated, 'requestId.taken'],
  ['no token', 401, ({ emulator }) => emulator.send(paths.fiat, { method: 'GET' }), 'token.missing'],
  ['an unknown path', 404, ({ emulator }) => emulator.send('/v1/nothing', { method: 'GET' }), 'path.unknown'],
  ['a wrong method', 405, ({ emulator }) => emulator.send(paths.fiat, { method: 'PUT' }), 'method.wrong'],
  ['a body of 2 MiB', 413, ({ c1 }) => c1.post(paths.simulate, ' '.repeat(2 ** 21)), 'body.too-large'],
  [
    'another Content-Type',
    415,
    ({ c1 }) => c1.createCheckout('r1', { headers: { 'content-type': 'text/plain' } }),
    'body.content-type',
  ],
  ['a planned 503', 503, (fixture) => planned(fixture, { status: 503 }), 'fault: orders before, 503'],
  ['a planned 429', 429, (fixture) => planned(fixture, { status: 429 }), 'fault: orders before, 429'],
  [
    'wrong credentials',
    401,
    ({ emulator }) =>
      emulator.send('/_emulator/access-token', {
        method: 'POST',
        headers: json,
        body: { clientId: 'C1', apiSecret: 'no' },
      }),
    'credentials.wrong',
  ],
])('the answer to %s (%i) has the address of the page that says why', async (_, status, call, why) => {
  const fixture = await startFixture()
  const answer = await call(fixture)
  expect(answer.status).toBe(status)
  await expectPage(fixture.emulator, answer.headers['emulator-diagnosis'], why)
})

/** The address is one of this emulator, and the page there says why. */
async function expectPage(emulator: TestEmulator, address: unknown, why: string) {
  expect(address).toMatch(new RegExp(`^${emulator.url}/_emulator/ui/requests/req_\\w+$`))
  const page = await openPage(emulator, new URL(String(address)).pathname)
  expect([page.status, page.words]).toEqual([200, expect.stringContaining(why)])
}

test('an answer that refuses nothing has no such address', async () => {
  const { c1, emulator } = await startFixture()
  const answers = [
    await c1.createCheckout('r1'),
    await c1.fiatOrders('none'),
    await planned({ emulator, c1, c2: c1 }, { status: 202, body: '{}' }),
  ]
  expect(answers.map(({ status, headers }) => [status, headers['emulator-diagnosis']])).toEqual([
    [200, undefined],
    [200, undefined],
    [202, undefined],
  ])
})

const addressIn = (text: string) => /\r\nemulator-diagnosis: ([^\r\n]*)\r\n/i.exec(text)?.[1]
const host = (emulator: TestEmulator) => `host: ${new URL(emulator.url).host}\r\n`

test.each<[string, number, (host: string) => string, string]>([
  ['two hosts', 400, (host) => `GET /v1/x HTTP/1.1\r\n${host}${host}\r\n`, 'http.host'],
  [
    'a gzipped transfer',
    501,
    (host) => `POST /v1/x HTTP/1.1\r\n${host}transfer-encoding: gzip, chunked\r\n\r\n`,
    'http.transfer-coding',
  ],
  ['a header with NUL', 400, (host) => `GET /v1/x HTTP/1.1\r\n${host}x: a\0\r\n\r\n`, 'http.header'],
  [
    'headers of 17 KB',
    431,
    (host) => `GET /v1/x HTTP/1.1\r\n${host}x: ${'a'.repeat(17_000)}\r\n\r\n`,
    'http.headers-too-large',
  ],
  [
    'an unknown expectation',
    417,
    (host) => `GET /v1/x HTTP/1.1\r\n${host}expect: a-miracle\r\n\r\n`,
    'http.expect',
  ],
  ['CONNECT', 405, (host) => `CONNECT a.example:80 HTTP/1.1\r\n${host}\r\n`, 'http.connect'],
  ['TLS', 400, () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 'http.tls'],
])('so has that to %s (%i), which no route sees', async (_, status, request, why) => {
  const { emulator } = await startFixture()
  const { text } = await new RawCall(emulator, request(host(emulator))).end()
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  // By the port at least: what could not be read names no host.
  const address = addressIn(text)?.replace('localhost', '127.0.0.1')
  await expectPage(emulator, address, why)
})

test.each([
  ['the host that the caller named', 'shop.test:8080', 'http://shop.test:8080'],
  ['an IPv6 address', '[::1]:4600', 'http://[::1]:4600'],
])('the address begins with %s', async (_, named, origin) => {
  const { emulator } = await startFixture()
  const request = `GET /v1/x HTTP/1.1\r\nhost: ${named}\r\nconnection: close\r\n\r\n`
  const { text } = await new RawCall(emulator, request).end()
  expect(addressIn(text)).toMatch(`${origin}/_emulator/ui/requests/req_`)
})

test('a caller of HTTP/1.0 that names no host gets the port that it called', async () => {
  const { emulator } = await startFixture()
  const { text } = await new RawCall(emulator, 'GET /v1/x HTTP/1.0\r\n\r\n').end()
  await expectPage(emulator, addressIn(text)?.replace('localhost', '127.0.0.1'), 'path.unknown')
})

test.each(['a"b', 'a b', 'a@b', 'a/b', '<script>', 'é', 'a%0d%0ax'])(
  'a Host that is none, %j, gets into no header',
  async (named) => {
    const { emulator } = await startFixture()
    const { text } = await new RawCall(emulator, `GET /v1/x HTTP/1.1\r\nhost: ${named}\r\n\r\n`).end()
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(addressIn(text)).toMatch(`http://localhost:${new URL(emulator.url).port}/_emulator/`)
  },
)

test.each([
  ['https://pay.example/base', 'https://pay.example/base'],
  ['https://zamówienia.example/płatność', 'https://xn--zamwienia-76a.example/p%C5%82atno%C5%9B%C4%87'],
])('the public URL %s goes before the host', async (publicUrl, base) => {
  const { emulator } = await startFixture({}, { publicUrl })
  const answer = await emulator.send('/v1/x', { method: 'GET' })
  expect(answer.headers['emulator-diagnosis']).toMatch(`${base}/_emulator/ui/requests/req_`)
  const { text } = await new RawCall(emulator, 'GET /v1/x HTTP/1.1\r\n\r\n').end()
  expect(addressIn(text)).toMatch(`${base}/_emulator/ui/requests/req_`)
})

test('without a port the address is one that emulator.fetch opens', async () => {
  await using emulator = await startEmulator({ listen: false })
  const refused = await emulator.fetch(`${emulator.url}/v1/client/orders`)
  const address = refused.headers.get('emulator-diagnosis') ?? ''
  expect(address).toMatch(`${emulator.url}/_emulator/ui/requests/req_`)
  const page = await emulator.fetch(address)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('token.missing')])
})

test('a fault cannot take the name of that header', async () => {
  const { emulator } = await startFixture()
  const body = fault({ status: 503, headers: { 'Emulator-Diagnosis': 'x' } })
  const answer = await emulator.send('/_emulator/faults', { method: 'POST', headers: json, body })
  expect(answer.status).toBe(400)
})
