import { expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from './support/emulator.ts'
import { RawCall } from './support/raw-call.ts'

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
