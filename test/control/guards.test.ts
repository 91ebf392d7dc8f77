import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type GuardSettings, guards } from '../../src/control/guards.ts'
import { EmulatorError } from '../../src/domain/text/errors.ts'

/** The status of a guarded request: 200 if it passes. */
async function statusOf(
  settings: Partial<GuardSettings>,
  method: string,
  headers: Record<string, string>,
): Promise<number> {
  const app = new Hono()
  app.use(guards({ controlToken: null, allowedHosts: [], ...settings }))
  app.all('/', (c) => c.text('through'))
  app.onError(
    (error) => new Response(error.message, { status: error instanceof EmulatorError ? error.status : 500 }),
  )
  return (await app.request('/', { method, headers: { host: '127.0.0.1:4600', ...headers } })).status
}

test.each([
  ['127.0.0.1:4600', 200],
  ['[::1]:4600', 200],
  ['192.168.1.7', 200],
  ['localhost:4600', 200],
  ['emulator:4600', 200],
  ['emulator.localhost', 200],
  ['mac.local', 200],
  ['host.docker.internal', 200],
  ['LOCALHOST', 200],
  ['localhost.', 200],
  ['evil.example', 421],
  ['127.0.0.1.evil.example', 421],
  ['localhost.evil.example', 421],
  ['evil.example:4600', 421],
  ['a.local.evil.example', 421],
  ['', 421],
  ['local host', 421],
  ['127.0.0.1, evil.example', 421],
  ['user@127.0.0.1', 421],
  ['256.1.1.1.nip.io', 421],
])('the host %o gets %i', async (host, status) => {
  expect(await statusOf({}, 'GET', { host })).toBe(status)
})

test('a host that is allowed passes, whatever its letters', async () => {
  const settings = { allowedHosts: ['emulator.example.com'] }
  expect(await statusOf(settings, 'GET', { host: 'Emulator.Example.com' })).toBe(200)
})

test('a valid control token makes any host good', async () => {
  const settings = { controlToken: 'secret' }
  const authorization = 'Bearer secret'
  expect(await statusOf(settings, 'GET', { host: 'evil.example', authorization })).toBe(200)
})

test.each([
  ['no token', {}, 401],
  ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['the token without Bearer', { authorization: 'secret' }, 401],
  ['the token', { authorization: 'Bearer secret' }, 200],
])('where a token is asked for, %s gets %3$i', async (_, headers, status) => {
  expect(await statusOf({ controlToken: 'secret' }, 'GET', headers)).toBe(status)
})

test.each([
  ['a program, which says nothing', {}, 200],
  ['a page of the same origin', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4600' }, 200],
  ['the address bar', { 'sec-fetch-site': 'none' }, 200],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of the same site on another port', { 'sec-fetch-site': 'same-site' }, 403],
  ['a foreign origin in an old browser', { origin: 'http://evil.example' }, 403],
  ['another port of the same host in an old browser', { origin: 'http://127.0.0.1:3000' }, 403],
  ['a sandboxed frame', { origin: 'null' }, 403],
  ['an origin that is no URL', { origin: 'evil' }, 403],
])('a change asked for by %s gets %3$i', async (_, headers, status) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect(await statusOf({}, method, headers)).toBe(status)
  }
})

test('reading is refused to another origin too: it could keep streams open', async () => {
  expect(await statusOf({}, 'GET', { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await statusOf({}, 'GET', { origin: 'http://evil.example' })).toBe(403)
})

const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

test('a link from anywhere may be followed', async () => {
  expect(await statusOf({}, 'GET', link)).toBe(200)
})

test('neither a form nor a frame is a link', async () => {
  expect(await statusOf({}, 'POST', link)).toBe(403)
  expect(await statusOf({}, 'GET', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403)
})

test('a token does not make a cross-site change good', async () => {
  const headers = { authorization: 'Bearer secret', 'sec-fetch-site': 'cross-site' }
  expect(await statusOf({ controlToken: 'secret' }, 'POST', headers)).toBe(403)
})

test('the name of the scheme may be written in small letters', async () => {
  expect(await statusOf({ controlToken: 'secret' }, 'GET', { authorization: 'bearer secret' })).toBe(200)
  expect(await statusOf({ controlToken: 'secret' }, 'GET', { authorization: 'bearer SECRET' })).toBe(401)
})
