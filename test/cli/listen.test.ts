import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { startListening } from '../../src/cli/listen/listen.ts'
import { type ListenOptions, readListenOptions, receivedLine } from '../../src/cli/listen/receiver.ts'
import { freePort } from '../../tools/free-port.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'
import { serverFor } from './servers.ts'

/** A listener in this process. */
async function listenFor(url: string, options: Partial<ListenOptions> = {}) {
  const terminal = new FakeTerminal()
  const defaults = readListenOptions({ port: '0', url }, {})
  const receiver = await startListening({ ...defaults, ...options }, terminal, 0)
  onTestFinished(() => receiver.close())
  return { terminal, url: receiver.url }
}

const control = (url: string, path: string, body?: object) =>
  fetch(`${url}/_emulator${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })

test("it becomes the client's webhook URL and prints each webhook with its verdict", async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url)
  await create(url, 'r1')
  expect(await terminal.written(/CREATED r1/)).toMatch(
    /^[\d:.]{12} CREATED r1 signature ok, sent at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  )
  await control(url, '/clock/advance', { by: '5s' })
  expect(await terminal.written(/COMPLETED r1/)).toContain('signature ok')
})

test('a FAILED webhook names its error code', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url)
  await control(url, '/scenarios/next', { scenario: 'fail-9004' })
  await create(url, 'r1')
  await control(url, '/clock/advance', { by: '1m' })
  expect(await terminal.written(/FAILED/)).toMatch(/FAILED 9004 r1 signature ok/)
})

test('--answer answers with that status, and the emulator tries again', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url, { answer: 500 })
  await create(url, 'r1')
  expect(await terminal.written(/CREATED/)).toMatch(/signature ok, sent at \S+, answered 500$/)
  await control(url, '/clock/advance', { by: '1s' })
  expect(terminal.output.filter((line) => line.includes('CREATED'))).toHaveLength(2)
})

test('--no-register leaves the URL as it is, and still verifies', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal, url: receiverUrl } = await listenFor(url, { register: false })
  expect(terminal.output[0]).toContain('is unchanged: none is registered')
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ webhookUrl: `${receiverUrl}some/path` })
  await fetch(`${url}/_emulator/clients/demo-client`, { ...patch, body })
  await create(url, 'r1')
  expect(await terminal.written(/CREATED/)).toContain('signature ok')
})

test('it says which URL it took the place of', async () => {
  const { url } = await startForTest({ webhookUrl: 'http://127.0.0.1:9/old' })
  const { terminal } = await listenFor(url)
  expect(terminal.output[0]).toContain('Before, it was http://127.0.0.1:9/old.')
})

test('--json prints one object per line', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal, url: receiverUrl } = await listenFor(url, { json: true })
  await create(url, 'r1')
  await terminal.written(/CREATED/)
  const [ready, webhook] = terminal.output.map((line) => JSON.parse(line))
  expect(ready).toEqual({
    event: 'ready',
    url: receiverUrl,
    clientId: 'demo-client',
    registered: true,
    emulator: url,
  })
  expect(webhook).toMatchObject({
    event: 'webhook',
    orderStatus: 'CREATED',
    requestId: 'r1',
    signature: 'ok',
    webhookId: expect.stringMatching(/^msg_/),
    answered: 200,
  })
})

test('a POST that the emulator did not sign is told apart', async () => {
  const { url } = await startForTest()
  const { terminal, url: receiverUrl } = await listenFor(url)
  await fetch(receiverUrl, { method: 'POST', body: '{"requestId":"r1\\n\\u001b","orderStatus":"COMPLETED"}' })
  expect(await terminal.written(/COMPLETED/)).toMatch(
    /COMPLETED r1\\n\\u001b signature missing: webhook-id, webhook-timestamp and webhook-signature are required$/,
  )
})

test('a rotated secret is known, while both are valid and when only the new one is', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url)
  await control(url, '/clients/demo-client/rotate-webhook-secret', { overlap: '1h' })
  await create(url, 'both')
  expect(await terminal.written(/CREATED both/)).toContain('signature ok')
  await control(url, '/clock/advance', { by: '2h' })
  await create(url, 'new')
  expect(await terminal.written(/CREATED new/)).toContain('signature ok')
})

test('whatever is no webhook is refused', async () => {
  const { url } = await startForTest()
  const { terminal, url: receiverUrl } = await listenFor(url)
  expect((await fetch(receiverUrl)).status).toBe(405)
  expect((await fetch(receiverUrl, { method: 'POST', body: 'x'.repeat(1_100_000) })).status).toBe(413)
  expect(terminal.output).toHaveLength(1)
})

test('--forward passes bytes and signature on and answers as that URL does', async () => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  const target = await serverFor(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push({ headers: request.headers, body })
    response.writeHead(202).end('accepted')
  })
  const webhookSecret = 'whsec_c2VjcmV0'
  const { url } = await startForTest({ clock: 'manual', webhookSecret })
  const { terminal } = await listenFor(url, { forward: `${target.url}hook` })
  await create(url, 'r1')
  expect(await terminal.written(/CREATED/)).toMatch(/signature ok, .* -> http:\S+hook 202$/)
  const { headers, body } = got[0] ?? { headers: {}, body: '' }
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]])
  expect(new Webhook(webhookSecret).verify(body, Object.fromEntries(signed))).toEqual(JSON.parse(body))
})

test('--forward takes an answer as curl takes it', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const head = 'HTTP/1.1 202 Yes\r\ncontent-length: 0\r\nContent-Length: 0\r\n\r\n'
  const app = await serverFor((request) => request.socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head}`))
  const { terminal } = await listenFor(url, { forward: app.url })
  await create(url, 'r1')
  expect(await terminal.written(/CREATED/)).toMatch(/ 202$/)
})

test.each([
  ['localhost:3000', 'not "localhost:3000"; did you mean `http://localhost:3000`?'],
  ['http://127.0.0.1:0/', 'not "http://127.0.0.1:0/"'],
])('--forward %s is refused, and shown', (forward, words) => {
  const message = `error: --forward: expected a URL like http://127.0.0.1:3000/webhook, ${words}`
  expect(() => readListenOptions({ forward }, {})).toThrow(message)
})

test('--forward to where nobody listens is told and answered with 502', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url, { forward: 'http://127.0.0.1:1/' })
  await create(url, 'r1')
  expect(await terminal.written(/CREATED/)).toMatch(
    / -> http:\/\/127\.0\.0\.1:1\/ connect ECONNREFUSED 127\.0\.0\.1:1, answered 502$/,
  )
})

test.each<[string, Partial<ListenOptions>, RegExp, 1 | 2]>([
  [
    'no emulator',
    { url: 'http://127.0.0.1:1' },
    /^error: no emulator answers at http:\/\/127\.0\.0\.1:1: /,
    1,
  ],
  [
    'an unknown client',
    { clientId: 'nobody' },
    /^error: http\S+ rejects the call: No client has the clientId "nobody"/,
    2,
  ],
  [
    'a wrong control token',
    { controlToken: 'wrong' },
    /^error: http\S+ rejects the call: The control API requires/,
    2,
  ],
])('%s is told in one line', async (_, options, message, exitCode) => {
  const { url } = await startForTest({ controlToken: 'right' })
  await expect(listenFor(url, { controlToken: 'right', ...options })).rejects.toMatchObject({
    message: expect.stringMatching(message),
    exitCode,
  })
})

test('an emulator that is not up yet is waited for', async () => {
  const port = await freePort()
  const terminal = new FakeTerminal()
  const options = readListenOptions({ port: '0', url: `http://127.0.0.1:${port}` }, {})
  const listening = startListening(options, terminal)
  await terminal.written(/^waiting for the emulator at/)
  await startForTest({ port })
  const receiver = await listening
  onTestFinished(() => receiver.close())
  expect(await terminal.written(/Ready\.$/)).toContain('which is now the webhook URL of demo-client')
  expect(terminal.errors).toHaveLength(1)
})

test('its own port can be taken', async () => {
  const { url } = await startForTest()
  await expect(listenFor(url, { port: Number(new URL(url).port) })).rejects.toThrow(
    /^error: port \d+ is in use/,
  )
})

test.each(['envelope', 'jwt'])('a webhook in the format %s is told as any other', async (format) => {
  const { url } = await startForTest({
    clock: 'manual',
    settings: { webhook: { format, auth: 'hmac-body' } },
  })
  const { terminal } = await listenFor(url)
  await control(url, '/scenarios/next', { scenario: 'fail-9004' })
  await create(url, 'r1')
  await control(url, '/clock/advance', { by: '1m' })
  expect(await terminal.written(/FAILED/)).toMatch(/FAILED 9004 r1 signature ok$/)
})

test('a webhook under a template and in words of the settings is told as any other', async () => {
  const { url } = await startForTest({
    clock: 'manual',
    settings: {
      webhook: {
        format: 'template',
        template: {
          event: '${eventType}',
          data: { payment: { ref: 'shop_${requestId}', state: '${orderStatus}' } },
        },
      },
      words: { webhook: { FAILED: 'declined' }, events: { FAILED: 'payment.failed' } },
    },
  })
  const { terminal } = await listenFor(url)
  await control(url, '/scenarios/next', { scenario: 'fail-9004' })
  await create(url, 'r1')
  await control(url, '/clock/advance', { by: '1m' })
  expect(await terminal.written(/FAILED/)).toMatch(/ FAILED r1 signature ok/)
})

test('each event of a webhook has a line of its own', async () => {
  const webhook = { on: ['CREATED'], batch: { max: 2, within: '1m' } }
  const { url } = await startForTest({ clock: 'manual', settings: { webhook } })
  const { terminal } = await listenFor(url)
  for (const requestId of ['r1', 'r2']) await create(url, requestId)
  for (const requestId of ['r1', 'r2'])
    expect(await terminal.written(new RegExp(requestId))).toContain(`CREATED ${requestId} signature ok`)
})

test('a body that is no payload we know still makes a line', () => {
  const line = receivedLine({
    at: 0,
    body: '[1]',
    events: [],
    webhookId: null,
    signedAt: null,
    signatureProblem: null,
    answered: 200,
    forwarded: null,
  })
  expect(line).toMatch(/ webhook \(no requestId\) signature ok$/)
})

test("another client's webhook is called that, not forged", async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal, url: webhookUrl } = await listenFor(url)
  await control(url, '/clients', { clientId: 'shop', webhookUrl })
  await control(url, '/deliveries', {
    clientId: 'shop',
    body: { clientId: 'shop', requestId: 'r1', orderStatus: 'CREATED' },
  })
  expect(await terminal.written(/CREATED r1/)).toContain(
    'signature not checked: this webhook belongs to shop, and this listener verifies for demo-client (use `listen --client shop`)',
  )
})

test('what is forged under its own clientId is told as wrong', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  const { terminal } = await listenFor(url)
  const body = { clientId: 'demo-client', requestId: 'r1', orderStatus: 'CREATED' }
  await control(url, '/deliveries', { clientId: 'demo-client', body, sign: 'wrong' })
  expect(await terminal.written(/CREATED r1/)).toContain('signature wrong')
})

test("it verifies by the recipe of the client's settings, and reads the time from its header", async () => {
  const recipe = { header: 'x-pay', format: 't=${timestamp},v1=${signature}', signed: '${timestamp}.${body}' }
  const { url } = await startForTest({ clock: 'manual', settings: { 'webhook.signature': recipe } })
  const { terminal } = await listenFor(url)
  await create(url, 'r1')
  expect(await terminal.written(/CREATED r1/)).toMatch(/signature ok, sent at \d{4}-\d\d-\d\dT/)
  await control(url, '/deliveries', {
    clientId: 'demo-client',
    body: { orderStatus: 'FORGED' },
    sign: 'wrong',
  })
  expect(await terminal.written(/FORGED/)).toContain(
    "signature wrong: x-pay does not have the HMAC-SHA256 of ${timestamp}.${body} in hex, keyed with the client's webhookSecret",
  )
})
