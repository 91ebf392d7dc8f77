import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { report } from './support/figures.ts'
import { startProgram } from './support/program.ts'
import { rawHttp } from './support/raw-http.ts'

test('slow senders are cut off in time, and 2,000 connections are the most', async () => {
  const { url } = await startProgram([])
  const begun = performance.now()
  const heads = drip(url, 'GET /v1/client/orders HTTP/1.1\r\nHost: localhost\r\n', 'X: a\r\n')
  const bodies = drip(
    url,
    'POST /_emulator/clients HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    ' ',
  )
  const kept = await rawHttp(url, ['GET /_emulator/health HTTP/1.1\r\nHost: localhost\r\n\r\n'])
  const crowd = await crowdOf(url, 2_100)
  const [headsMs, bodiesMs] = [(await heads) - begun, (await bodies) - begun]
  report({
    area: 'bad input',
    promise: 'Slow senders are cut off, and 2,000 connections are the most',
    test: 'test/hard/slow-senders.test.ts',
    figures: {
      'connections tried': 2_100,
      'connections kept': crowd.open,
      'connections refused': crowd.closed,
      'headers cut off after (s)': Number((headsMs / 1_000).toFixed(1)),
      'body cut off after (s)': Number((bodiesMs / 1_000).toFixed(1)),
    },
  })
  expect(kept.head).toMatch(/\r\nKeep-Alive: timeout=65/i)
  // Two drip, and one may still be closing.
  expect(crowd.open).toBeGreaterThanOrEqual(1_990)
  expect(crowd.open).toBeLessThanOrEqual(2_000)
  expect(headsMs).toBeGreaterThan(9_500)
  expect(headsMs).toBeLessThan(15_000)
  expect(bodiesMs).toBeGreaterThan(29_500)
  expect(bodiesMs).toBeLessThan(36_000)
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200)
})

/** Sends a little every half second until the other side has had enough of it.
 *  @returns when that was */
function drip(url: string, first: string, again: string): Promise<number> {
  const socket = open(url)
  socket.write(first)
  const timer = setInterval(() => socket.write(again), 500)
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer)
      resolve(performance.now())
    })
  })
}

/** Opens very many connections at once, asks for something over each, and goes away again.
 *  @returns how many of them were served: what is beyond the limit is closed, or never taken up */
async function crowdOf(url: string, size: number): Promise<{ open: number; closed: number }> {
  const served = new Set<Socket>()
  const sockets = Array.from({ length: size }, () => open(url))
  for (const socket of sockets) {
    socket.on('data', () => served.add(socket))
    socket.write('GET /_emulator/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  }
  let many = -1
  while (served.size > many) {
    many = served.size
    await pause(2_000)
  }
  for (const socket of sockets) socket.destroy()
  await pause(200)
  return { open: many, closed: size - many }
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.resume()
  onTestFinished(() => void socket.destroy())
  return socket
}
