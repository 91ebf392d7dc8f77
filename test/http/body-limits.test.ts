import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'
import { RawCall } from '../support/raw-call.ts'

const mebibyte = 1024 * 1024

type Reader = readonly [method: string, path: string, type: string]

/** Whatever reads a body: each API, forms of each kind of page, YAML, calls that need no credentials. */
const readers: readonly Reader[] = [
  ['POST', '/v1/client/checkout/create-order', 'application/json'],
  ['POST', '/v1/client/subscription/create-order', 'application/json'],
  ['POST', '/v1/client/simulate-webhook', 'application/json'],
  ['POST', '/v1/client/webhook-url', 'application/json'],
  ['POST', '/_emulator/access-token', 'application/json'],
  ['POST', '/_emulator/clients', 'application/json'],
  ['PATCH', '/_emulator/settings', 'application/json'],
  ['POST', '/_emulator/faults', 'application/json'],
  ['PUT', '/_emulator/scenarios/mine', 'application/yaml'],
  ['POST', '/_emulator/fixtures', 'application/yaml'],
  ['POST', '/_emulator/ui/act', 'application/x-www-form-urlencoded'],
]

const headOf = (method: string, path: string, type: string, framing: string) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'access-token: demo-token',
    `content-type: ${type}`,
    `${framing}\r\n\r\n`,
  ].join('\r\n')

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** All of the answer, up to the end of the connection. */
const answerTo = async (emulator: { url: string }, request: string) =>
  (await new RawCall(emulator, request).end()).text

test.each(readers)('%s %s takes 1 MiB and not a byte more, announced or in chunks', async (...to) => {
  const emulator = await startTestEmulator()
  const last = 'connection: close\r\n'
  for (const [bytes, isTooLarge] of [
    [mebibyte, false],
    [mebibyte + 1, true],
  ] as const) {
    const body = 'x'.repeat(bytes)
    const announced = `${headOf(...to, `${last}content-length: ${bytes}`)}${body}`
    const half = bytes / 2
    const inChunks = `${headOf(...to, `${last}transfer-encoding: chunked`)}${chunk(body.slice(0, half))}${chunk(body.slice(half))}${chunk('')}`
    for (const request of [announced, inChunks]) {
      const text = await answerTo(emulator, request)
      expect(text.slice(0, 12)).toMatch(isTooLarge ? /^HTTP\/1\.1 413/ : /^HTTP\/1\.1 (?!413)\d/)
    }
  }
})

/** Sends chunks until the other side closes. Answers what came back. */
async function answerToEndless({ url }: { url: string }, to: Reader): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', () => undefined)
  socket.write(headOf(...to, 'transfer-encoding: chunked'))
  const piece = chunk('x'.repeat(65_536))
  while (!socket.destroyed) await new Promise((resolve) => socket.write(piece, resolve))
  return text
}

test('chunks without an end are refused and cut, whatever reads them', async () => {
  const emulator = await startTestEmulator()
  const answers = await Promise.all(readers.map((reader) => answerToEndless(emulator, reader)))
  expect(answers.map((text) => text.slice(0, 12))).toEqual(readers.map(() => 'HTTP/1.1 413'))
  expect((await emulator.control('/health')).status).toBe(200)
})

test('a snapshot may have 256 MiB', async () => {
  const emulator = await startTestEmulator()
  const announced = (bytes: number) =>
    headOf('PUT', '/_emulator/snapshot', 'application/json', `content-length: ${bytes}`)
  const refused = new RawCall(emulator, announced(256 * mebibyte + 1))
  await refused.answered
  expect(refused.text).toMatch(/^HTTP\/1\.1 413 /)
  const large = new RawCall(emulator, `${announced(2 * mebibyte)}${'x'.repeat(2 * mebibyte)}`)
  await large.answered
  expect(large.text).toMatch(/^HTTP\/1\.1 400 /)
})
