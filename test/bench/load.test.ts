import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AnswerReader } from '../../bench/load/answer-reader.ts'
import { open } from '../../bench/load/connection.ts'
import { sharesOf } from '../../bench/load/generators.ts'
import { sendPaced } from '../../bench/load/paced.ts'
import { hello, requestBytes } from '../../bench/load/requests.ts'

const load = { shape: hello, port: 1, connections: 64, first: 100, count: 1_001 }

test('shares of a load have together what the load has, and no number twice', () => {
  const [first, second] = sharesOf(load, 2)
  expect(first).toMatchObject({ connections: 32, first: 100, count: 500 })
  expect(second).toMatchObject({ connections: 32, first: 600, count: 501 })
})

test('what is asked again and again is shared out too', () => {
  const [first, second] = sharesOf({ ...load, different: 10 }, 2)
  expect(first).toMatchObject({ first: 100, different: 5 })
  expect(second).toMatchObject({ first: 105, different: 5 })
})

test('a pace is shared out too', () => {
  const paces = sharesOf({ ...load, perSecond: 250 }, 2).map(({ perSecond }) => perSecond)
  expect(paces).toEqual([125, 125])
})

test('a paced request has its turn whether or not those before are answered, and its latency counts from then on', async () => {
  const held: ServerResponse[] = []
  let releasedAt = Number.POSITIVE_INFINITY
  const sockets = await connectionsTo((response) => {
    if (performance.now() < releasedAt) held.push(response)
    else response.end('{}')
  }, 2)
  const turns: number[] = []
  const latencies: number[] = []
  const work = {
    next: () => {
      if (turns.length < 5) {
        turns.push(performance.now())
        return requestBytes(hello, turns.length)
      }
      releasedAt = performance.now()
      for (const response of held) response.end('{}')
      return undefined
    },
    answered: (latencyMs: number) => latencies.push(latencyMs),
  }
  await sendPaced(sockets, work, 200)
  // No turn is later than the moment in which the next one is asked for.
  const waited = turns.slice(1).map((turn) => releasedAt - turn)
  const longestFirst = latencies.toSorted((a, b) => b - a)
  expect(longestFirst).toHaveLength(5)
  for (const [index, least] of waited.entries()) expect(longestFirst[index]).toBeGreaterThanOrEqual(least)
})

test('paced requests use all connections in turn, since a server closes one over which nothing comes', async () => {
  const used = new Set<unknown>()
  const sockets = await connectionsTo((response) => {
    used.add(response.socket)
    response.end('{}')
  }, 3)
  let turns = 0
  const work = { next: () => (turns++ < 3 ? requestBytes(hello, turns) : undefined), answered: () => {} }
  await sendPaced(sockets, work, 200)
  expect(used.size).toBe(3)
})

test('a paced request that is refused ends the load', async () => {
  const sockets = await connectionsTo((response) => response.writeHead(503).end(), 1)
  const work = { next: () => requestBytes(hello, 1), answered: () => expect.unreachable() }
  await expect(sendPaced(sockets, work, 1_000)).rejects.toThrow('503')
})

/** Connections to a server of the test's own. */
async function connectionsTo(answer: (response: ServerResponse) => void, count: number) {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Promise.all(Array.from({ length: count }, () => open(port)))
}

const ends = (...chunks: string[]) => {
  const reader = new AnswerReader()
  return chunks.map((chunk) => reader.ends(Buffer.from(chunk)))
}

test.each([
  [
    ['HTTP/1.1 200 OK\r\ncontent-le', 'ngth: 4\r\n\r\nab', 'cd'],
    [false, false, true],
  ],
  [['HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'], [true]],
  [
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab', '\r\n0\r\n\r\n'],
    [false, true],
  ],
])('%j is complete after each piece: %j', (chunks, expected) => {
  expect(ends(...chunks)).toEqual(expected)
})

test('an answer of another status ends the load', () => {
  expect(() => ends('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')).toThrow('404 Not Found')
})
