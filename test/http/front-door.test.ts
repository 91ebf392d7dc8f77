import { expect, test } from 'vitest'
import { paths, sign } from '../support/client.ts'
import { startFixture, startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { RawCall } from '../support/raw-call.ts'

async function answerTo(emulator: TestEmulator, request: string) {
  const { text } = await new RawCall(emulator, request).end()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head, body: JSON.parse(body) }
}

const host = 'host: localhost\r\n'

test.each([
  ['a header with NUL', `GET /v1/client/orders HTTP/1.1\r\n${host}x: a\0\r\n\r\n`, 400, 'http.header'],
  [
    'headers of 17 KB',
    `GET /v1/client/orders HTTP/1.1\r\n${host}x: ${'a'.repeat(17_000)}\r\n\r\n`,
    431,
    'http.headers-too-large',
  ],
  [
    'two lengths',
    `POST /v1/client/orders HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    400,
    'http.body-length',
  ],
  ['TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, 'http.tls'],
  ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'http.http2'],
  ['a protocol of its own', 'EHLO localhost\r\n\r\n', 400, 'http.unreadable'],
  [
    'a length that is no number',
    `POST /v1/client/orders HTTP/1.1\r\n${host}content-length: ten\r\n\r\n`,
    400,
    'http.body-length',
  ],
  [
    'a length and chunks',
    `POST /v1/client/orders HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    400,
    'http.body-length',
  ],
  ['two hosts', `GET /v1/client/orders HTTP/1.1\r\n${host}${host}\r\n`, 400, 'http.host'],
  ['no host', 'GET /v1/client/orders HTTP/1.1\r\n\r\n', 400, 'http.host'],
  [
    'another host in the target',
    `GET http://evil.example/v1/client/orders HTTP/1.1\r\n${host}\r\n`,
    400,
    'http.target',
  ],
  ['a target that is no path', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 400, 'http.target'],
  ['CONNECT', `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${host}\r\n`, 405, 'http.connect'],
  ['HTTP/2', `GET / HTTP/2.0\r\n${host}\r\n`, 400, 'http.version'],
  [
    'Latin-1 in the query',
    `GET /v1/client/orders?requestId=caf\xe9 HTTP/1.1\r\n${host}\r\n`,
    400,
    'http.target',
  ],
  ['HTTP/1.2', `GET / HTTP/1.2\r\n${host}\r\n`, 400, 'http.version'],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${host}expect: a-miracle\r\n\r\n`, 417, 'http.expect'],
])('%s is answered in JSON and stands in the journal', async (_, request, status, cause) => {
  const emulator = await startTestEmulator()
  const answer = await answerTo(emulator, request)
  expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  expect(answer.head).toMatch(/content-type: application\/json; charset=utf-8\r\n/)
  expect(answer.head).toMatch(/x-content-type-options: nosniff\r\n/)
  const { items } = await emulator.control('/requests')
  expect(items).toMatchObject([{ status, diagnosis: { cause, message: answer.body.error } }])
})

/** A create call whose body comes in one chunk. */
const inChunks = (
  codings: readonly string[],
  { path = '/v1/client/checkout/create-order', version = '1.1', more = '' } = {},
) => {
  const headers = codings.map((coding) => `transfer-encoding: ${coding}\r\n`).join('')
  const head = `POST ${path} HTTP/${version}\r\n${host}content-type: application/json\r\nconnection: close\r\n`
  return `${head}${headers}${more}\r\n2\r\n{}\r\n0\r\n\r\n`
}

test.each([
  [['gzip, chunked'], 501, 'http.transfer-coding'],
  [['gzip', 'chunked'], 501, 'http.transfer-coding'],
  [['deflate, gzip ,chunked'], 501, 'http.transfer-coding'],
  [['identity, chunked'], 501, 'http.transfer-coding'],
  [['xchunked, chunked'], 501, 'http.transfer-coding'],
  [['gzip'], 400, 'http.transfer-coding'],
  [['identity'], 400, 'http.transfer-coding'],
  [['xchunked'], 400, 'http.transfer-coding'],
  [['chunked, gzip'], 400, 'http.body-length'],
  [['chunked, chunked'], 400, 'http.body-length'],
  [['chunked', 'gzip'], 400, 'http.body-length'],
])('Transfer-Encoding %j is answered with %i and is %s', async (codings, status, cause) => {
  const emulator = await startTestEmulator()
  const { head, body, ...answer } = await answerTo(emulator, inChunks(codings))
  expect(answer).toEqual({ status })
  expect(head).toMatch(/\r\nconnection: close(\r\n|$)/i)
  const { items } = await emulator.control('/requests')
  expect(items).toMatchObject([{ path: paths.checkout, status, diagnosis: { cause, message: body.error } }])
})

test.each([['chunked'], ['CHUNKED'], [', chunked']])(
  'Transfer-Encoding %j is read as chunks',
  async (coding) => {
    const emulator = await startTestEmulator()
    expect(await answerTo(emulator, inChunks([coding], { path: '/_emulator/clients' }))).toMatchObject({
      status: 201,
    })
  },
)

test.each([['chunked'], ['gzip, chunked']])(
  'HTTP/1.0 with Transfer-Encoding %j is refused',
  async (coding) => {
    const emulator = await startTestEmulator()
    const answer = await answerTo(emulator, inChunks([coding], { version: '1.0' }))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^HTTP\/1\.0 does not allow Transfer-Encoding\. Send/) },
    })
  },
)

test('the control API words its refusal of a transfer coding as its own errors', async () => {
  const emulator = await startTestEmulator()
  const path = '/_emulator/clients'
  expect(await answerTo(emulator, inChunks(['gzip, chunked'], { path }))).toMatchObject({
    status: 501,
    body: { error: { code: 'bad_request', message: expect.stringContaining('"gzip, chunked"') } },
  })
  expect((await emulator.control('/clients')).items).toHaveLength(1)
})

test('a request that was refused before its body came is not refused once more for that', async () => {
  const emulator = await startTestEmulator()
  const request = `POST /v1/x HTTP/1.1\r\n${host}${host}transfer-encoding: chunked\r\n\r\nzz\r\n`
  const { text } = await new RawCall(emulator, request).end()
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(await diagnoses(emulator)).toMatchObject([{ status: 400, diagnosis: { cause: 'http.host' } }])
})

test('no leave is given to a body in a coding that is not supported', async () => {
  const emulator = await startTestEmulator()
  const more = 'expect: 100-continue\r\n'
  const { text } = await new RawCall(emulator, inChunks(['gzip, chunked'], { more })).end()
  expect(text).toMatch(/^HTTP\/1\.1 501 /)
})

test.each(['application/json', 'application/yaml'])(
  'a body of %s that is announced as compressed is refused, though it is not',
  async (type) => {
    const { emulator, c1 } = await startFixture()
    const headers = { 'content-type': type, 'content-encoding': 'gzip' }
    const path = type === 'application/json' ? '/_emulator/clients' : '/_emulator/scenarios/mine'
    const method = type === 'application/json' ? 'POST' : 'PUT'
    const answer = await emulator.send(path, { method, headers, body: '{}' })
    const message = 'Content-Encoding must be left out (compressed bodies are not read); it is gzip.'
    expect([answer.status, answer.json.error]).toEqual([415, { code: 'unsupported_media_type', message }])
    const call = await c1.createCheckout('r1', { headers: { 'content-encoding': 'gzip' } })
    expect([call.status, call.json]).toEqual([415, { error: message }])
    expect((await c1.journalOf(call)).diagnosis).toMatchObject({ cause: 'body.compressed' })
    const plain = await c1.createCheckout('r1', { headers: { 'content-encoding': 'identity' } })
    expect(plain.status).toBe(200)
  },
)

test('what was meant for the control API is answered as that words its errors', async () => {
  const emulator = await startTestEmulator()
  for (const request of [
    `GET /_emulator/clients HTTP/1.1\r\n${host}${host}\r\n`,
    `GET /_emulator/clients HTTP/1.1\r\n${host}x: a\0\r\n\r\n`,
  ]) {
    const { body } = await answerTo(emulator, request)
    expect(body).toEqual({ error: { code: 'bad_request', message: expect.any(String) } })
  }
})

test('a body that is too large is refused before it is sent, if leave is asked for', async () => {
  const emulator = await startTestEmulator()
  const head = `POST /_emulator/clients HTTP/1.1\r\n${host}content-type: application/json\r\nexpect: 100-continue\r\n`
  const call = new RawCall(emulator, `${head}content-length: 9999999\r\n\r\n`)
  await call.answered
  expect(call.text).toMatch(/^HTTP\/1\.1 413 /)
})

test('leave is given to one that may come', async () => {
  const emulator = await startTestEmulator()
  const head = `POST /_emulator/clients HTTP/1.1\r\n${host}content-type: application/json\r\nexpect: 100-continue\r\n`
  const call = new RawCall(emulator, `${head}content-length: 2\r\nconnection: close\r\n\r\n{}`)
  const { text } = await call.end()
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
})

/** Sends the parts one after the other, each once something of the answer to the one before has come. */
async function conversation(emulator: TestEmulator, ...parts: readonly string[]) {
  const [first = '', ...rest] = parts
  const call = new RawCall(emulator, first)
  for (const part of rest) {
    await call.answered
    call.write(part)
  }
  return call.end()
}

const diagnoses = async (emulator: TestEmulator) =>
  (await emulator.control('/requests')).items.map(({ method, path, status, diagnosis }) => ({
    method,
    path,
    status,
    diagnosis,
  }))

test('bytes behind a good request do not take its answer away, and the journal says whose they were', async () => {
  const { emulator, c1 } = await startFixture()
  const order = JSON.stringify(c1.checkout('r1'))
  const head = [
    `POST ${paths.checkout} HTTP/1.1`,
    'host: localhost',
    'content-type: application/json',
    `content-length: ${order.length}`,
    `access-token: ${c1.accessToken}`,
    `signature: ${sign(c1.apiSecret, 'fiatAmount=10.00&requestId=r1')}`,
  ].join('\r\n')
  const { text } = await conversation(emulator, `${head}\r\n\r\n${order}}}`)
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toMatch(/\r\nconnection: close\r\n/i)
  expect(text.split('HTTP/1.1')).toHaveLength(2)
  const found = await diagnoses(emulator)
  expect(found.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(found).toContainEqual({
    method: '',
    path: '',
    status: 0,
    diagnosis: {
      cause: 'http.body-length',
      message: expect.stringContaining(`after the body of POST ${paths.checkout} than`),
    },
  })
})

test('bytes that come after the answer are told of too', async () => {
  const emulator = await startTestEmulator()
  const post = `POST /v1/client/orders?a=b HTTP/1.1\r\n${host}content-length: 2\r\n\r\n{}`
  const { text } = await conversation(emulator, post, '}}')
  expect(text).toContain('More bytes came after the body of POST /v1/client/orders')
})

test('what cannot be read never gets into the midst of another answer', async () => {
  const emulator = await startTestEmulator()
  const events = `GET /_emulator/events HTTP/1.1\r\n${host}\r\n`
  const wait = JSON.stringify({ for: 'order', where: { requestId: 'r1' }, timeoutMs: 60_000 })
  const post = `POST /_emulator/wait HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: ${wait.length}\r\n\r\n${wait}`
  const { text } = await conversation(emulator, events, `${post}garbage\r\n\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).not.toContain('400 Bad Request')
})

test('a body that goes wrong on its way is refused under the name of its request', async () => {
  const emulator = await startTestEmulator()
  const head = `POST /_emulator/clients HTTP/1.1\r\n${host}x-mine: 7\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n`
  const { text } = await conversation(emulator, head, 'zz\r\n')
  expect(text).toMatch(/HTTP\/1\.1 400 Bad Request\r\n/)
  expect(text).toContain('{"error":{"code":"bad_request"')
  const { items } = await emulator.control('/requests')
  expect(items).toMatchObject([
    {
      ...{ method: 'POST', path: '/_emulator/clients', status: 400 },
      headers: { 'x-mine': '7' },
      diagnosis: { cause: 'http.body-length' },
    },
  ])
})

test('a call whose body goes wrong on its way stands in the journal once', async () => {
  const emulator = await startTestEmulator()
  const head = `POST ${paths.checkout} HTTP/1.1\r\n${host}access-token: demo-token\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n`
  await conversation(emulator, head, 'zz\r\n')
  // The one who reads the body has heard of its end by the time another connection is served.
  await emulator.control('/health')
  expect((await diagnoses(emulator)).map(({ diagnosis }) => diagnosis)).toMatchObject([
    { cause: 'http.body-length' },
  ])
})

test('a caller that never closes keeps neither its connection nor a stop', async () => {
  const emulator = await startTestEmulator()
  const request = `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${host}\r\n`
  const call = new RawCall(emulator, request, { allowHalfOpen: true })
  expect((await call.end()).text).toMatch(/^HTTP\/1\.1 405 /)
  await emulator.close()
})

test('a request of HTTP/1.0 needs no host', async () => {
  const emulator = await startTestEmulator()
  for (const [path, status] of [
    ['/_emulator/health', 200],
    ['/v1/client/orders', 401],
    ['/_emulator/clients', 421],
  ] as const)
    expect(await answerTo(emulator, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatchObject({ status })
})

test.each(['/events', '/clients', '/nothing'])(
  'without a host, %s of the control API says which header is missing',
  async (path) => {
    const emulator = await startTestEmulator()
    expect((await answerTo(emulator, `GET /_emulator${path} HTTP/1.0\r\n\r\n`)).body).toEqual({
      error: {
        code: 'host_not_allowed',
        message:
          'The emulator does not accept a request without the header Host. Send one, such as `Host: 127.0.0.1`, or use HTTP/1.1.',
      },
    })
  },
)

test('CONNECT is told that it is allowed nothing', async () => {
  const emulator = await startTestEmulator()
  const { head } = await answerTo(emulator, `CONNECT a.example:80 HTTP/1.1\r\n${host}\r\n`)
  expect(head).toMatch(/\r\nallow: $/)
})

test('a path of the service that only names the control API is answered as the service answers', async () => {
  const emulator = await startTestEmulator()
  const { body } = await answerTo(emulator, `GET /v1/x?a=/_emulator HTTP/1.1\r\n${host}${host}\r\n`)
  expect(body).toEqual({ error: expect.any(String) })
})
