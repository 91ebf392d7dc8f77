import { expect, test } from 'vitest'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import type { HeaderChanges } from '../../support/http.ts'
import { cookieIn } from '../../support/page.ts'

const token = 'right-token'
const closed = () => startTestEmulator({ controlToken: token })

const asBrowser = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }

function submit(emulator: TestEmulator, path: string, form: object, headers: HeaderChanges = {}) {
  const body = new URLSearchParams(Object.entries(form)).toString()
  return emulator.send(path, { method: 'POST', headers: { ...asBrowser, ...headers }, body })
}

const open = (emulator: TestEmulator, path: string, headers: HeaderChanges = {}) =>
  emulator.send(path, { method: 'GET', headers: { accept: 'text/html', ...headers } })

const logIn = (emulator: TestEmulator, form: object = {}, headers: HeaderChanges = {}) =>
  submit(emulator, '/_emulator/ui/token', { token, ...form }, headers)

test('who is not known is asked for the token, and then comes to the page that was wanted', async () => {
  const emulator = await closed()
  const asked = await open(emulator, '/_emulator/ui/requests?status=401')
  expect(asked.status).toBe(401)
  expect(asked.text).toContain('value="/_emulator/ui/requests?status=401"')
  const answer = await logIn(emulator, { back: '/_emulator/ui/requests?status=401' })
  expect([answer.status, answer.headers.location]).toEqual([303, '/_emulator/ui/requests?status=401'])
  const page = await open(emulator, '/_emulator/ui/requests', { cookie: cookieIn(answer.headers) })
  expect(page.status).toBe(200)
})

test('the pages say from which variable their commands read the token', async () => {
  const emulator = await closed()
  const session = cookieIn((await logIn(emulator)).headers)
  const shown = await submit(emulator, '/_emulator/ui/commands', { shown: 'true' }, { cookie: session })
  const cookie = `${session}; ${cookieIn(shown.headers)}`
  const { text } = await open(emulator, '/_emulator/ui/deliveries', { cookie })
  expect(text.match(/export EMULATOR_CONTROL_TOKEN=/g)?.length).toBeGreaterThan(3)
})

test('a program is asked in JSON', async () => {
  const emulator = await closed()
  const { status, json } = await emulator.send('/_emulator/', { method: 'GET' })
  expect([status, Object(json.error).code]).toEqual([401, 'control_token'])
})

test('the cookie is for this emulator alone, and no script reads it', async () => {
  const emulator = await closed()
  const cookie = String((await logIn(emulator)).headers['set-cookie'])
  expect(cookie).toMatch(/; Path=\/_emulator; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(token)
})

test('behind https the cookie is never sent without it', async () => {
  const emulator = await closed()
  const origin = emulator.url.replace('http:', 'https:')
  expect(String((await logIn(emulator, {}, { origin })).headers['set-cookie'])).toContain('; Secure')
})

test('a wrong token opens nothing and is not shown again', async () => {
  const emulator = await closed()
  const answer = await logIn(emulator, { token: 'wrong-token' })
  expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
  expect(answer.text).toContain('Wrong control token.')
  expect(answer.text).not.toContain('wrong-token')
})

test('the cookie opens the control API and its events, but never the service', async () => {
  const emulator = await closed()
  const cookie = cookieIn((await logIn(emulator)).headers)
  const status = async (method: string, path: string) =>
    (await emulator.send(path, { method, headers: { cookie } })).status
  expect(await status('GET', '/_emulator/orders')).toBe(200)
  expect(await status('HEAD', '/_emulator/events?brief=true')).toBe(200)
  expect(await status('GET', '/v1/client/orders?requestId=r1')).toBe(401)
})

test.each([
  ['an older token', 'emulator-control-00000000=c29tZXRoaW5n'],
  ['the token itself', `emulator-control=${token}`],
  ['nothing', ''],
])('a cookie of %s is none', async (_, cookie) => {
  expect((await open(await closed(), '/_emulator/', { cookie })).status).toBe(401)
})

test('after logging out the cookie is gone', async () => {
  const emulator = await closed()
  const cookie = cookieIn((await logIn(emulator)).headers)
  const page = await open(emulator, '/_emulator/', { cookie })
  expect(page.text).toContain('Log out')
  const answer = await submit(emulator, '/_emulator/ui/log-out', {}, { cookie })
  expect(answer.status).toBe(303)
  expect(String(answer.headers['set-cookie'])).toMatch(/=; Max-Age=0; Path=\/_emulator/)
})

const strangers: readonly [string, HeaderChanges, number][] = [
  ['a form of another site', { origin: 'http://evil.example' }, 403],
  ['a sandboxed frame', { origin: 'null' }, 403],
  ['a page on another port', { 'sec-fetch-site': 'same-site' }, 403],
  ['a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 403],
  ['a foreign name for this machine', { host: 'evil.example' }, 421],
]

test.each(strangers)('%s can neither log in nor press a button', async (_, headers, status) => {
  const emulator = await startTestEmulator()
  const action = JSON.stringify({ method: 'POST', path: '/clients' })
  const before = await emulator.control('/clients')
  for (const [path, form] of [
    ['/_emulator/ui/act', { action }],
    ['/_emulator/ui/curl', { action }],
    ['/_emulator/ui/commands', { shown: 'true' }],
    ['/_emulator/ui/token', { token }],
    ['/_emulator/ui/log-out', {}],
  ] as const) {
    const answer = await submit(emulator, path, form, headers)
    expect([path, answer.status, answer.headers['set-cookie']]).toEqual([path, status, undefined])
    expect(answer.text).toMatch(/^<!doctype html>/)
  }
  expect((await emulator.control('/clients')).text).toBe(before.text)
})

test.each([
  '//evil.example/',
  'http://evil.example/',
  '/\\evil.example/',
  '/_emulator/../..//evil.example',
  '/_emulator//evil.example',
  '/_emulator/ui/../..//evil.example/',
  '/_emulator/ui/../../..//evil.example/x',
  '/_emulator/ui/../../pay',
  'javascript:alert(1)',
  '/_emulator/ui/x\r\nset-cookie: a=b',
  '/_emulator/ui/\u2028',
  '/v1/client/orders',
  ' /_emulator/',
])('nobody is sent to %j after a form', async (back) => {
  const emulator = await startTestEmulator()
  const action = JSON.stringify({ method: 'POST', path: '/clients' })
  for (const path of ['/_emulator/ui/act', '/_emulator/ui/token']) {
    const { headers } = await submit(emulator, path, { action, back })
    expect(String(headers.location)).toMatch(/^\/_emulator\/(\?note=[\w-]+)?$/)
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test.each(['/_emulator/ui/\\evil.example'])('what looks like a way out in %j stays here', async (back) => {
  const emulator = await startTestEmulator()
  const { headers } = await submit(emulator, '/_emulator/ui/token', { back })
  expect(new URL(String(headers.location), emulator.url).origin).toBe(emulator.url)
})

test('a form of two megabytes is refused, to a browser and to a program', async () => {
  const emulator = await startTestEmulator()
  const form = { action: 'x'.repeat(2_000_000) }
  expect((await submit(emulator, '/_emulator/ui/act', form)).status).toBe(413)
  const { status, json } = await submit(emulator, '/_emulator/ui/act', form, { accept: 'application/json' })
  expect([status, Object(json.error).code]).toEqual([413, 'too_large'])
})

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s means nothing to a page', async (method) => {
  const emulator = await startTestEmulator()
  const { status } = await emulator.send('/_emulator/ui/act', { method, headers: { accept: 'text/html' } })
  expect([404, 405]).toContain(status)
})

test('HEAD answers like GET, and uses up no note', async () => {
  const emulator = await startTestEmulator()
  const action = JSON.stringify({ method: 'POST', path: '/clients' })
  const to = String((await submit(emulator, '/_emulator/ui/act', { action })).headers.location)
  expect((await emulator.send(to, { method: 'HEAD', headers: { accept: 'text/html' } })).status).toBe(200)
  expect((await open(emulator, to)).text).toContain('Done.')
  expect((await open(emulator, to)).text).not.toContain('Done.')
})
