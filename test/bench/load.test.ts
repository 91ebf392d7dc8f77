import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Connection, isComplete } from '../../bench/load/connection.ts'
import { sharesOf } from '../../bench/load/load.ts'
import { hello, requestBytes } from '../../bench/load/requests.ts'

const load = { shape: hello, port: 1, connections: 64, first: 100, count: 1_001 }

/** The numbers of the requests that a share sends. */
const numbersOf = ({ first, step = 1, count, different = count }: ReturnType<typeof sharesOf>[number]) =>
  Array.from({ length: different }, (_, n) => first + n * step)

test.each([1, 2, 3])('%i shares together send what the load asks for, and no number twice', (processes) => {
  const shares = sharesOf(load, processes)
  const numbers = shares.flatMap(numbersOf).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 1_001 }, (_, n) => 100 + n))
  expect(shares.reduce((sum, { connections }) => sum + connections, 0)).toBe(64)
})

test('numbers far apart and an even pace are shared out too', () => {
  const shares = sharesOf({ ...load, different: 4, step: 10, perSecond: 250 }, 2)
  expect(shares.map(numbersOf)).toEqual([
    [100, 120],
    [110, 130],
  ])
  expect(shares.map(({ perSecond }) => perSecond)).toEqual([125, 125])
})

test.each([
  ['with a length', ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 4\r\n\r\nab', 'cd']],
  ['without a body', ['HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n']],
  ['in chunks', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab', '\r\n0\r\n\r\n']],
])('an answer %s ends with its last piece', (_, pieces) => {
  const received = pieces.map((_, index) => Buffer.from(pieces.slice(0, index + 1).join('')))
  expect(received.map(isComplete)).toEqual(pieces.map((_, index) => index === pieces.length - 1))
})

/** A connection to a server of the test's own. */
async function connectionTo(answer: (socket: Socket) => void): Promise<Connection> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  const connection = await Connection.open(typeof address === 'object' ? (address?.port ?? 0) : 0)
  onTestFinished(() => connection.close())
  return connection
}
const bytes = requestBytes(hello, 1)

test('a connection takes the next request once the one before is answered', async () => {
  let requests = 0
  const connection = await connectionTo((socket) => {
    requests += 1
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  })
  await connection.request(bytes)
  await connection.request(bytes)
  expect(requests).toBe(2)
})

test.each([
  ['another status', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n', '404 Not Found'],
  ['no length', 'HTTP/1.1 200 OK\r\n\r\nab', 'an answer without a length'],
])('an answer with %s fails the request', async (_, answer, message) => {
  const connection = await connectionTo((socket) => void socket.write(answer))
  await expect(connection.request(bytes)).rejects.toThrow(message)
})

test('a connection that the server closes fails the request', async () => {
  const connection = await connectionTo((socket) => socket.destroy())
  await expect(connection.request(bytes)).rejects.toThrow('the server closed a connection')
})
