import { expect, test } from 'vitest'
import { report } from './support/figures.ts'
import { type Answerer, startRawReceiver } from './support/raw-receiver.ts'
import { startRemote } from './support/remote.ts'

const file = 'test/hard/receiver.test.ts'

/** The expected record of an attempt. */
interface Expected {
  readonly outcome: 'accepted' | 'refused' | 'timeout' | 'connection'
  readonly status?: number
  readonly body?: string
  readonly error?: RegExp
}

const says =
  (text: string): Answerer =>
  (socket) =>
    socket.write(text, 'latin1')
const saysAndCloses =
  (text: string): Answerer =>
  (socket) =>
    socket.end(text, 'latin1')
const saysAndResets =
  (text: string): Answerer =>
  (socket) =>
    // Once it has been sent for sure: a reset throws away what waits.
    socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 100))
const drips =
  (text: string): Answerer =>
  (socket) => {
    socket.write(text)
    const timer = setInterval(() => socket.write('x'), 50)
    socket.once('close', () => clearInterval(timer))
  }
const status = (code: number, more = '') => says(`HTTP/1.1 ${code} Some\r\ncontent-length: 0\r\n${more}\r\n`)
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const notHttp = /does not match the HTTP/

/** How receivers answer, and what has to be on record then. */
const answers: readonly [name: string, answer: Answerer, expected: Expected][] = [
  ['closes without an answer', saysAndCloses(''), { outcome: 'connection', error: /closed the connection/ }],
  ['resets without an answer', saysAndResets(''), { outcome: 'connection', error: /ECONNRESET/ }],
  [
    'closes within the headers',
    saysAndCloses('HTTP/1.1 200 OK\r\nx'),
    { outcome: 'connection', error: /closed/ },
  ],
  [
    'resets within the headers',
    saysAndResets('HTTP/1.1 200 OK\r\nx'),
    { outcome: 'connection', error: /RESET/ },
  ],
  [
    'resets within the body',
    saysAndResets('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
    { outcome: 'accepted', status: 200, body: 'abc' },
  ],
  ['never answers', () => {}, { outcome: 'timeout', error: /no answer within 2000 ms/ }],
  [
    'drips headers',
    drips('HTTP/1.1 200 OK\r\nx: '),
    { outcome: 'timeout', error: /no answer within 2000 ms/ },
  ],
  [
    'drips a body',
    drips('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'),
    { outcome: 'accepted', status: 200, body: expect.stringMatching(/^x+$/) },
  ],
  ['201', status(201), { outcome: 'accepted', status: 201 }],
  ['204', says('HTTP/1.1 204 No Content\r\n\r\n'), { outcome: 'accepted', status: 204 }],
  [
    '204 with a body',
    says('HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\nab'),
    { outcome: 'accepted', status: 204 },
  ],
  [
    '400',
    says('HTTP/1.1 400 Bad\r\ncontent-length: 2\r\n\r\nno'),
    { outcome: 'refused', status: 400, body: 'no' },
  ],
  ['410', status(410), { outcome: 'refused', status: 410 }],
  ['500', status(500), { outcome: 'refused', status: 500 }],
  ['999', status(999), { outcome: 'refused', status: 999 }],
  ['600', status(600), { outcome: 'refused', status: 600 }],
  [
    '000',
    saysAndCloses('HTTP/1.1 000 Odd\r\n\r\n'),
    { outcome: 'connection', error: /^the receiver answered with the invalid HTTP status 000$/ },
  ],
  [
    '099',
    saysAndCloses('HTTP/1.1 099 Odd\r\n\r\n'),
    { outcome: 'connection', error: /^the receiver answered with the invalid HTTP status 099$/ },
  ],
  [
    'a broken chunk',
    says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n'),
    { outcome: 'accepted', status: 200, body: 'hello' },
  ],
  [
    'a chunk of 2^64 bytes',
    says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10000000000000000\r\nhello'),
    { outcome: 'accepted', status: 200, body: '' },
  ],
  [
    'a body shorter than its Content-Length',
    saysAndCloses('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
    { outcome: 'accepted', status: 200, body: 'abc' },
  ],
  [
    'a body longer than its Content-Length',
    says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabcdef'),
    { outcome: 'accepted', status: 200, body: 'ab' },
  ],
  [
    'a Content-Length in words',
    says('HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\nok'),
    { outcome: 'connection', error: notHttp },
  ],
  [
    'two Content-Lengths that differ',
    says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'),
    { outcome: 'connection', error: /different lengths \(content-length: 2, 3\)/ },
  ],
  [
    'two equal Content-Lengths',
    says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok'),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  [
    'chunks beside a Content-Length',
    says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 12\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  [
    '103 before the answer',
    says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}`),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  [
    '102 twice before the answer',
    says(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2)}${ok}`),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  [
    '100 before the answer',
    says(`HTTP/1.1 100 Continue\r\n\r\n${ok}`),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  [
    '100 without an answer',
    saysAndCloses('HTTP/1.1 100 Continue\r\n\r\n'),
    { outcome: 'connection', error: /closed the connection/ },
  ],
  [
    '101',
    says('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    { outcome: 'connection', error: /switch/ },
  ],
  [
    'HTTP/1.0',
    saysAndCloses('HTTP/1.0 200 OK\r\n\r\nolder'),
    { outcome: 'accepted', status: 200, body: 'older' },
  ],
  [
    '64 KiB of headers',
    says(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1020)}\r\n`.repeat(64)}\r\n`),
    { outcome: 'connection', error: /16 KiB of headers/ },
  ],
  [
    'a header with a zero byte',
    says('HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'),
    { outcome: 'connection', error: notHttp },
  ],
  [
    'bare line feeds',
    saysAndCloses('HTTP/1.1 200 OK\ncontent-length: 2\n\nok'),
    { outcome: 'accepted', status: 200, body: 'ok' },
  ],
  ['another protocol', saysAndCloses('SSH-2.0-OpenSSH_9.6\r\n'), { outcome: 'connection', error: notHttp }],
  ['bytes', saysAndCloses('\x16\x03\x01\x00\xff\x00'.repeat(99)), { outcome: 'connection', error: notHttp }],
  ['two answers at once', says(ok + ok), { outcome: 'accepted', status: 200, body: 'ok' }],
  [
    'gzip that is none',
    says('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'),
    { outcome: 'accepted', status: 200, body: 'abc' },
  ],
]

test('however a receiver answers, one attempt is on record, with what really came back', async () => {
  const { emulator, program } = await startRemote(['--clock', 'manual'])
  const rows = await Promise.all(
    answers.map(async ([name, answer, expected]) => {
      const receiver = await startRawReceiver(answer)
      const settings = { 'webhook.timeout': '2s' }
      const client = await emulator.addClient({ webhookUrl: receiver.url, settings })
      await client.createCheckout('r1')
      await client.settle()
      return { name, expected, requests: receiver.requests.length, deliveries: await client.deliveries() }
    }),
  )
  report({
    area: 'receiver',
    promise: 'However a receiver answers, one attempt is on record, with what really came back',
    test: file,
    figures: { 'kinds of answers': rows.length, requests: rows.reduce((sum, row) => sum + row.requests, 0) },
  })
  for (const { name, expected, requests, deliveries } of rows) {
    const { outcome, status = null, body = status === null ? null : '', error } = expected
    const attempt = {
      n: 1,
      outcome,
      status,
      responseBody: body,
      error: error === undefined ? null : expect.stringMatching(error),
    }
    const next = outcome === 'accepted' ? 'delivered' : 'pending'
    expect.soft(deliveries, name).toMatchObject([{ status: next, attempts: [attempt] }])
    expect.soft(requests, `${name}: requests at the receiver`).toBe(1)
  }
  expect(program.child.exitCode).toBe(null)
})

test('no redirect is followed, and its attempt shows where it leads', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const elsewhere = await startRawReceiver(status(200))
  const statuses = [300, 301, 302, 303, 305, 307, 308]
  const client = await emulator.addClient()
  for (const code of statuses) {
    const receiver = await startRawReceiver(status(code, `location: ${elsewhere.url}\r\nrefresh: 0\r\n`))
    await client.setWebhookUrl(receiver.url)
    await client.createCheckout(`r${code}`)
    await client.settle()
  }
  const attempts = (await client.deliveries()).map((delivery) => delivery.attempts)
  report({
    area: 'receiver',
    promise: 'No redirect is followed',
    test: file,
    figures: { redirects: statuses.length, followed: elsewhere.connections() },
  })
  expect(elsewhere.connections()).toBe(0)
  const error = `redirected to ${elsewhere.url}; redirects are not followed, so register the final URL`
  expect(attempts).toMatchObject(statuses.map((code) => [{ outcome: 'refused', status: code, error }]))
})

test('410 pauses the URL for everything until it is set anew', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const receiver = await startRawReceiver((socket, count) => status(count === 1 ? 410 : 200)(socket, count))
  const client = await emulator.addClient({ webhookUrl: receiver.url })
  await client.createCheckout('r1')
  await client.settle()
  await client.createCheckout('r2')
  await client.advance('30d')
  expect(receiver.requests).toHaveLength(1)
  await client.setWebhookUrl(receiver.url)
  await client.settle()
  expect(receiver.requests).toHaveLength(5)
})

test.each([
  ['7', 7_000],
  ['0', 1_000],
  ['-5', 1_000],
  ['1e9', 1_000],
  ['tomorrow', 1_000],
  ['99999999999999999999999999', 600_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 600_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 1_000],
  [new Date(Date.now() + 3_600_000).toUTCString(), 600_000],
])('429 with Retry-After %s waits so long, and never longer than the cap', async (retryAfter, waitMs) => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  const receiver = await startRawReceiver(status(429, `retry-after: ${retryAfter}\r\n`))
  const client = await emulator.addClient({ webhookUrl: receiver.url, defaultScenario: 'never-pays' })
  await client.createCheckout('r1')
  await client.settle()
  expect(await client.deliveries()).toMatchObject([
    { status: 'pending', dueAt: (await client.now()) + waitMs, attempts: [{ status: 429 }] },
  ])
})
