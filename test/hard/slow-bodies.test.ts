import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { report } from './support/figures.ts'
import { startProgram } from './support/program.ts'

/** Whatever reads a body, of each API and of pages, and the one call that takes a large one. */
const readers = [
  ['POST', '/v1/client/checkout/create-order', 'application/json'],
  ['POST', '/v1/client/simulate-webhook', 'application/json'],
  ['POST', '/_emulator/access-token', 'application/json'],
  ['POST', '/_emulator/clients', 'application/json'],
  ['PUT', '/_emulator/scenarios/mine', 'application/yaml'],
  ['PUT', '/_emulator/snapshot', 'application/json'],
  ['POST', '/_emulator/ui/act', 'application/x-www-form-urlencoded'],
] as const

/** How a body is announced, and what is sent of it every half second. */
const framings = [
  ['content-length: 1000', ' '],
  ['transfer-encoding: chunked', '1\r\n \r\n'],
] as const

interface End {
  readonly name: string
  /** Seconds from the first byte to the end of the connection. */
  readonly seconds: number
  /** Of the answer; null if none came. */
  readonly status: number | null
}

/** Sends a body little by little until the other side has had enough of it. */
function drip(
  url: string,
  [method, path, type]: (typeof readers)[number],
  [framing, piece]: (typeof framings)[number],
) {
  const begun = performance.now()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const host = 'host: localhost\r\naccess-token: demo-token'
  socket.write(`${method} ${path} HTTP/1.1\r\n${host}\r\ncontent-type: ${type}\r\n${framing}\r\n\r\n`)
  const timer = setInterval(() => socket.write(piece), 500)
  return new Promise<End>((resolve) => {
    socket.on('close', () => {
      clearInterval(timer)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      resolve({
        name: `${method} ${path}, ${framing}`,
        seconds: (performance.now() - begun) / 1000,
        status: status === undefined ? null : Number(status),
      })
    })
  })
}

test('a body that comes too slowly is cut after 30 seconds, whatever reads it and however it is announced', async () => {
  const { url } = await startProgram([])
  const ends = await Promise.all(
    readers.flatMap((reader) => framings.map((framing) => drip(url, reader, framing))),
  )
  const times = ends.map(({ seconds }) => seconds)
  report({
    area: 'bad input',
    promise: 'A body that comes too slowly is cut after 30 seconds, whatever reads it',
    test: 'test/hard/slow-bodies.test.ts',
    figures: {
      bodies: ends.length,
      'first cut off after (s)': Number(Math.min(...times).toFixed(1)),
      'last cut off after (s)': Number(Math.max(...times).toFixed(1)),
    },
  })
  expect(ends.filter(({ seconds }) => seconds < 29.5 || seconds > 36)).toEqual([])
  expect(ends.filter(({ status }) => status !== null && status !== 408)).toEqual([])
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200)
})
