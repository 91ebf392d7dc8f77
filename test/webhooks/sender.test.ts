import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { Sender } from '../../src/webhooks/sender.ts'
import { Targets } from '../../src/webhooks/targets.ts'

const open: Server[] = []
const senders: Sender[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(senders.splice(0).map((sender) => sender.destroy()))
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 0 }, answer)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

function post(url: string, options: { body?: string; timeoutMs?: number; sender?: Sender } = {}) {
  const sender = options.sender ?? new Sender(new Targets())
  senders.push(sender)
  const headers = { 'content-type': 'application/json' }
  return sender.post(url, { headers, body: options.body ?? '{}' }, options.timeoutMs ?? 5_000).answer
}

test('the body arrives byte for byte, with the query of the URL', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const url = await receiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url: path } = request
      resolve({ method, path, body: Buffer.concat(chunks).toString('utf8') })
      response.end('thanks')
    })
  })
  const answer = await post(`${url}/hook?a=b%20c`, { body: '{"name":"zamówienie ✓"}' })
  expect(answer).toMatchObject({ outcome: 'answered', status: 200, body: 'thanks', error: null })
  expect(await promise).toEqual({ method: 'POST', path: '/hook?a=b%20c', body: '{"name":"zamówienie ✓"}' })
})

test.each([204, 301, 307, 404, 410, 500])(
  'an answer of %i is an answer, and nothing is followed',
  async (status) => {
    let requests = 0
    const url = await receiver((_, response) => {
      requests += 1
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(await post(url)).toMatchObject({ outcome: 'answered', status })
    expect(requests).toBe(1)
  },
)

test('Retry-After is passed on', async () => {
  const url = await receiver((_, response) => response.writeHead(429, { 'retry-after': '7' }).end())
  expect(await post(url)).toMatchObject({ status: 429, retryAfter: '7' })
})

test('a receiver that never answers is a time-out', async () => {
  const url = await receiver(() => undefined)
  expect(await post(url, { timeoutMs: 150 })).toMatchObject({
    outcome: 'timeout',
    status: null,
    body: null,
    error: 'no answer within 150 ms',
  })
})

test('the verdict falls with the headers: a body that never ends does not change it', async () => {
  const url = await receiver((_, response) => {
    response.writeHead(200)
    response.write('half')
  })
  expect(await post(url, { timeoutMs: 150 })).toMatchObject({
    outcome: 'answered',
    status: 200,
    body: 'half',
  })
})

test('a connection that breaks before the answer is a connection error', async () => {
  const url = await receiver((request) => request.socket.destroy())
  expect(await post(url)).toMatchObject({
    outcome: 'connection',
    status: null,
    error: expect.stringMatching(/./),
  })
})

test('a connection that breaks within the body leaves the status it had', async () => {
  const url = await receiver((request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('some', () => request.socket.destroy())
  })
  expect(await post(url)).toMatchObject({ outcome: 'answered', status: 200 })
})

test.each([
  ['HTTP/1.1 100 Continue\r\n\r\n', /closed the connection before it answered/],
  ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n', /switch protocols/],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', /switch protocols/],
  ['HTTP/1.1 000 Nothing\r\ncontent-length: 0\r\n\r\n', /the invalid HTTP status 000/],
  ['HTTP/1.1 099 Nothing\r\ncontent-length: 0\r\n\r\n', /the invalid HTTP status 099/],
  ['HTTP/1.1 1000 Much\r\ncontent-length: 0\r\n\r\n', /HTTP\/1\.1 protocol \(Invalid response status\)/],
  ['HTTP/1.1 abc Words\r\ncontent-length: 0\r\n\r\n', /HTTP\/1\.1 protocol \(Invalid status code\)/],
  [
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc',
    /different lengths .content-length: 2, 3/,
  ],
  ['HTTP/1.1 200 OK\r\ncontent-length: 2, 3\r\n\r\nabc', /different lengths .content-length: 2, 3/],
  [
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nno colon\r\n\r\nok',
    /HTTP\/1\.1 protocol \(Invalid header token\)/,
  ],
  [`HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\nok`, /content-length .+ is not valid/],
  ['HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\nok', /Invalid character in Content-Length/],
  [`HTTP/1.1 200 OK\r\nlong: ${'x'.repeat(64 * 1024)}\r\n\r\n`, /16 KiB of headers/],
  ['SSH-2.0-OpenSSH_9.6\r\n', /does not match the HTTP/],
  ['HTTP/1.1 20', /closed the connection before it answered/],
])('an answer that cannot be understood is a connection error in words: %j', async (text, words) => {
  const url = await receiver((request) => request.socket.end(text))
  expect(await post(url)).toMatchObject({
    outcome: 'connection',
    status: null,
    error: expect.stringMatching(words),
  })
})

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

test.each([
  ['an unasked 100', `HTTP/1.1 100 Continue\r\n\r\n${ok}`],
  ['an unasked 100 with a length', `HTTP/1.1 100 Continue\r\ncontent-length: 2\r\n\r\n${ok}`],
  ['102', `HTTP/1.1 102 Processing\r\n\r\n${ok}`],
  ['103', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}`],
  ['several interim answers', `${'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 P\r\n\r\n'.repeat(9)}${ok}`],
  ['two equal lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nX: y\r\nContent-Length: 2\r\n\r\nok'],
  ['one length said twice in one line', 'HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok'],
  [
    'a 100 and two equal lengths',
    `HTTP/1.1 100 Continue\r\n\r\n${ok.replace('\r\n\r', '\r\nContent-length:2\r\n\r')}`,
  ],
  [
    'chunks behind a length',
    'HTTP/1.1 200 OK\r\ncontent-length: 12\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  [
    'chunks before a length',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  [
    'chunks beside two equal lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
  ['a header in two lines', 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\nok'],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok'],
  ['more body than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokay'],
])('an answer is taken as curl takes it, whole and byte by byte: %s', async (_, text) => {
  const answered = { outcome: 'answered', status: 200, body: 'ok', error: null }
  expect(await post(await receiver((request) => request.socket.end(text)))).toMatchObject(answered)
  const slow = await receiver(async ({ socket }) => {
    for (const byte of text) {
      socket.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    socket.end()
  })
  expect(await post(slow)).toMatchObject(answered)
})

test('after an answer with two equal lengths the connection is used again', async () => {
  const sockets = new Set<Socket>()
  const url = await receiver(({ socket }) => {
    sockets.add(socket)
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok')
  })
  const sender = new Sender(new Targets(), { connections: 1 })
  for (let n = 0; n < 3; n++) expect(await post(url, { sender })).toMatchObject({ status: 200, body: 'ok' })
  expect(sockets.size).toBe(1)
})

test('an answer that comes before the body has been read is the answer', async () => {
  const url = await receiver((request, response) => {
    request.pause()
    response.end('early')
  })
  const body = 'x'.repeat(4_000_000)
  expect(await post(url, { body })).toMatchObject({ outcome: 'answered', status: 200, body: 'early' })
})

test('a 100 after which nothing comes is a time-out', async () => {
  const url = await receiver((_, response) => response.writeContinue())
  expect(await post(url, { timeoutMs: 150 })).toMatchObject({ outcome: 'timeout', status: null })
})

test('a connection that has lain idle for a second is closed, before the receiver may close it in the moment of sending', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise, resolve } = Promise.withResolvers<Socket>()
  const url = await receiver((request, response) => {
    resolve(request.socket)
    response.writeHead(200, { 'keep-alive': 'timeout=60' }).end()
  })
  expect(await post(url)).toMatchObject({ status: 200 })
  const closed = once(await promise, 'close')
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  vi.advanceTimersByTime(1_000)
  await closed
})

test('nobody listening is a connection error, in words', async () => {
  const answer = await post('http://127.0.0.1:1/')
  expect(answer).toMatchObject({ outcome: 'connection', error: 'connect ECONNREFUSED 127.0.0.1:1' })
})

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'nobody listening at %s, as seen from a container, is told with what that means there',
  async (host) => {
    const sender = new Sender(new Targets(), { place: 'container' })
    const answer = await post(`http://${host}:1/`, { sender })
    expect(answer?.outcome).toBe('connection')
    // A machine without IPv6 cannot even try ::1.
    expect(answer?.error).toMatch(/^connect ECONNREFUSED .+:1; .+ host\.docker\.internal|EADDRNOTAVAIL/)
  },
)

test('of a huge answer no more than 64 KiB is read and 8 KiB handed on', async () => {
  let written = 0
  const url = await receiver((_, response) => {
    response.writeHead(200)
    const more = () => {
      if (response.destroyed || written > 50_000_000) return
      written += 65_536
      response.write(Buffer.alloc(65_536, 'x'), more)
    }
    more()
  })
  const answer = await post(url)
  expect(answer?.status).toBe(200)
  expect(answer?.body).toHaveLength(8192)
  expect(written).toBeLessThan(10_000_000)
})

test('a hung endpoint holds at most 16 connections, and other endpoints none the less get theirs', async () => {
  let hanging = 0
  const { promise: full, resolve } = Promise.withResolvers<void>()
  const hung = await receiver(() => {
    hanging += 1
    if (hanging === 16) resolve()
  })
  const fine = await receiver((_, response) => response.end())
  const sender = new Sender(new Targets())
  const stuck = Array.from({ length: 20 }, () => post(hung, { sender, timeoutMs: 60_000 }))
  await full
  expect(await post(fine, { sender })).toMatchObject({ status: 200 })
  expect(hanging).toBe(16)
  await sender.destroy()
  expect(await Promise.all(stuck), 'what was under way is cut').toEqual(stuck.map(() => null))
})

test('what cannot be sent at all takes no connection away from what can', async () => {
  const url = await receiver((_, response) => void response.end('thanks'))
  const sender = new Sender(new Targets(), { connections: 2 })
  senders.push(sender)
  for (const headers of [{ expect: '100-continue' }, { upgrade: 'websocket' }, { 'content-length': 'abc' }]) {
    for (let n = 0; n < 3; n++) {
      const { outcome, error } = (await sender.post(url, { headers, body: '{}' }, 5_000).answer) ?? {}
      expect({ outcome, error }).toEqual({ outcome: 'connection', error: expect.stringMatching(/header/) })
    }
  }
  const answers = await Promise.all([1, 2, 3].map(() => post(url, { sender, timeoutMs: 5_000 })))
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200])
})
