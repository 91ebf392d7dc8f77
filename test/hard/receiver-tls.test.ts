import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import type { Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { emulatorAt, type TestEmulator } from '../support/emulator.ts'
import { aCertificate, aCertificateOfAnAuthority, type Certificate } from './support/certificate.ts'
import { report } from './support/figures.ts'
import { startRawReceiver } from './support/raw-receiver.ts'
import { startRemote } from './support/remote.ts'

const file = 'test/hard/receiver-tls.test.ts'

test('a receiver whose certificate cannot be trusted gets nothing, and the record says why', async () => {
  const { emulator } = await startRemote(['--clock', 'manual'])
  let requests = 0
  const own = await secure(aCertificate('IP:127.0.0.1'), () => (requests += 1))
  const plain = await startRawReceiver(
    () => {},
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  )
  const urls = [`https://127.0.0.1:${own}/`, plain.url.replace('http:', 'https:')]
  const deliveries = await Promise.all(
    urls.map(async (webhookUrl) => {
      const client = await emulator.addClient({ webhookUrl })
      await client.createCheckout('r1')
      await client.settle()
      return client.deliveries()
    }),
  )
  report({
    area: 'receiver',
    promise: 'A receiver whose certificate cannot be trusted gets nothing',
    test: file,
    figures: { 'requests it got': requests },
  })
  expect(requests).toBe(0)
  expect(plain.requests).toEqual([])
  expect(deliveries).toMatchObject([
    [
      {
        attempts: [
          {
            outcome: 'connection',
            status: null,
            error: expect.stringMatching(/self-signed.*NODE_EXTRA_CA_CERTS/),
          },
        ],
      },
    ],
    [
      {
        attempts: [
          { outcome: 'connection', status: null, error: expect.stringMatching(/wrong version number/) },
        ],
      },
    ],
  ])
})

test('NODE_EXTRA_CA_CERTS makes a private certificate good, for the name that it is for', async () => {
  const certificate = aCertificate('DNS:localhost')
  const env = { NODE_EXTRA_CA_CERTS: certificate.file }
  const { emulator } = await startRemote(['--clock', 'manual'], { env })
  const port = await secure(certificate, (_, response) => response.end('fine'))
  const outcomes = []
  for (const host of ['localhost', '127.0.0.1']) {
    const client = await emulator.addClient({ webhookUrl: `https://${host}:${port}/` })
    await client.createCheckout('r1')
    await client.settle()
    outcomes.push((await client.deliveries())[0]?.attempts)
  }
  expect(outcomes).toMatchObject([
    [{ outcome: 'accepted', status: 200, responseBody: 'fine', error: null }],
    [{ outcome: 'connection', status: null, error: expect.stringMatching(/altnames/) }],
  ])
})

test.each([
  ['serve', ['dist/cli.js', 'serve', '--port', '0', '--log', 'json']],
  ['npm start', ['tools/launch.mjs', 'start', '--port', '0', '--log', 'json']],
  ['exec', ['dist/cli.js', 'exec', '--log', 'json', '--', 'sleep', '60']],
])(
  '%s trusts a private authority through NODE_EXTRA_CA_CERTS, and says so where it does not',
  async (_, argv) => {
    const certificate = aCertificateOfAnAuthority('DNS:localhost')
    const port = await secure(certificate, (_request, response) => response.end('fine'))
    const attempts = []
    for (const env of [{}, { NODE_EXTRA_CA_CERTS: certificate.authority }]) {
      await using emulator = await startedBy(argv, env)
      const client = await emulator.addClient({ webhookUrl: `https://localhost:${port}/` })
      await client.createCheckout('r1')
      await client.settle()
      attempts.push((await client.deliveries())[0]?.attempts)
    }
    expect(attempts).toMatchObject([
      [{ outcome: 'connection', error: expect.stringMatching(/certificate.*; .*NODE_EXTRA_CA_CERTS/) }],
      [{ outcome: 'accepted', responseBody: 'fine', error: null }],
    ])
  },
)

/** Starts an emulator with a manual clock by a command, on whichever stream it prints its address. */
async function startedBy(argv: readonly string[], extra: object): Promise<TestEmulator> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, EMULATOR_CLOCK: 'manual', ...extra }
  const child = spawn(process.execPath, argv, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const { promise: url, resolve, reject } = Promise.withResolvers<string>()
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString()
      const ready = /"event":"ready","url":"([^"]+)"/.exec(written)
      if (ready?.[1] !== undefined) resolve(ready[1])
    })
  }
  ended.then(() => reject(new Error(`it ended before it was ready: ${written}`)))
  return emulatorAt(await url, async () => {
    child.kill('SIGTERM')
    await ended
  })
}

test('a receiver that speaks HTTP/2 is judged like any other', async () => {
  const certificate = aCertificate('DNS:localhost')
  const env = { NODE_EXTRA_CA_CERTS: certificate.file }
  const { emulator } = await startRemote(['--clock', 'manual'], { env })
  const server = createSecureServer(certificate, (request, response) => {
    if (request.url === '/hang') return
    if (request.url === '/reset') response.stream.close(2)
    else response.writeHead(request.url === '/410' ? 410 : 202).end('two')
  })
  const port = await listening(server)
  const attempts = await Promise.all(
    ['', 'hang', 'reset', '410'].map(async (path) => {
      const webhookUrl = `https://localhost:${port}/${path}`
      const client = await emulator.addClient({ webhookUrl, settings: { 'webhook.timeout': '2s' } })
      await client.createCheckout('r1')
      await client.settle()
      return (await client.deliveries())[0]?.attempts
    }),
  )
  expect(attempts).toMatchObject([
    [{ outcome: 'accepted', status: 202, responseBody: 'two' }],
    [{ outcome: 'timeout', status: null }],
    [{ outcome: 'connection', status: null, error: expect.stringMatching(/./) }],
    [{ outcome: 'refused', status: 410 }],
  ])
})

/** Listens with TLS; answers the port. */
function secure(certificate: Certificate, answer: RequestListener): Promise<number> {
  return listening(createServer(certificate, answer))
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
