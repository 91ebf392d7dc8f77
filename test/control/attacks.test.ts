import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlCalls } from '../../src/control/control.ts'
import { startTestEmulator, type TestEmulator } from '../support/emulator.ts'
import { RawCall } from '../support/raw-call.ts'

/** Every call of the control API that stands behind the guards, with something in the place of its parameters. */
const calls = controlCalls
  .filter(({ path }) => path !== '/health')
  .map(({ method, path }) => ({ method, path: `/_emulator${path.replaceAll(/\{\w+\}/g, 'demo-client')}` }))

/** One of each method, the stream of events among them. */
const some = [
  ...new Map(calls.map((call) => [call.method, call])).values(),
  ...calls.filter(({ path }) => path === '/_emulator/events'),
]

interface Attack {
  readonly name: string
  readonly status: number
  /** Header lines of the request. */
  readonly lines: readonly string[]
  /** The part before the path. */
  readonly before?: string
  /** Tried with every call; one of each guard is enough for that. */
  readonly everywhere?: true
}

const local = 'host: 127.0.0.1'
const attacks: readonly Attack[] = [
  { name: 'a foreign host', status: 421, lines: ['host: evil.example'], everywhere: true },
  {
    name: 'a foreign host that begins like a local one',
    status: 421,
    lines: ['host: 127.0.0.1.evil.example'],
  },
  { name: 'a foreign host with the port of the emulator', status: 421, lines: ['host: evil.example:4600'] },
  { name: 'an empty host', status: 400, lines: ['host: '] },
  { name: 'no host', status: 400, lines: [], everywhere: true },
  { name: 'two hosts', status: 400, lines: [local, 'host: evil.example'] },
  { name: 'two hosts, the foreign one first', status: 400, lines: ['host: evil.example', local] },
  { name: 'a host behind a user name', status: 400, lines: ['host: 127.0.0.1@evil.example'] },
  { name: 'a foreign host behind a local user name', status: 400, lines: ['host: evil.example#@127.0.0.1'] },
  { name: 'a host with a path', status: 400, lines: ['host: 127.0.0.1/evil.example'] },
  { name: 'a host with a port that is none', status: 400, lines: ['host: 127.0.0.1:evil.example'] },
  { name: 'a list of hosts', status: 400, lines: ['host: 127.0.0.1, evil.example'] },
  {
    name: 'a foreign host, though a proxy calls it local',
    status: 421,
    lines: [
      'host: evil.example',
      'x-forwarded-host: 127.0.0.1',
      'forwarded: host=127.0.0.1',
      'x-host: localhost',
    ],
  },
  { name: 'a target on a foreign host', status: 400, lines: [local], before: 'http://evil.example' },
  {
    name: 'a local target, but a foreign host',
    status: 400,
    lines: ['host: evil.example'],
    before: 'http://127.0.0.1',
  },
  {
    name: 'a foreign host in both',
    status: 421,
    lines: ['host: evil.example'],
    before: 'http://evil.example',
  },
  { name: 'a user name in the target', status: 400, lines: [local], before: 'http://evil.example@127.0.0.1' },
  {
    name: 'a page of another site',
    status: 403,
    lines: [local, 'sec-fetch-site: cross-site'],
    everywhere: true,
  },
  { name: 'a page on another port', status: 403, lines: [local, 'sec-fetch-site: same-site'] },
  { name: 'an old browser on another site', status: 403, lines: [local, 'origin: http://evil.example'] },
  { name: 'a sandboxed frame', status: 403, lines: [local, 'origin: null'] },
  { name: 'an origin on another port', status: 403, lines: [local, 'origin: http://127.0.0.1:3000'] },
  {
    name: 'a form of another site',
    status: 403,
    lines: [local, 'origin: http://evil.example', 'content-type: text/plain'],
  },
  {
    name: 'an event source of another site',
    status: 403,
    lines: [local, 'origin: http://evil.example', 'accept: text/event-stream', 'sec-fetch-mode: cors'],
  },
]

/** Other spellings of a path: if one reaches a call, the same guard must apply. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace('_emulator', '%5femulator'),
  (path) =>
    path.replace(
      /^\/_emulator\/(.)/,
      (_, first: string) => `/_emulator/%${first.charCodeAt(0).toString(16)}`,
    ),
  (path) => path.replace('/_emulator', '/x/../_emulator'),
  (path) => path.replace('/_emulator', '/./_emulator'),
  (path) => path.replace('/_emulator', '/%2e/_emulator'),
  (path) => path.replace('/_emulator/', '/_emulator/health/../'),
  (path) => path.replace('/_emulator/', '/_emulator/access-token/%2e%2e/'),
  (path) => path.replace('/_emulator', '//_emulator'),
  (path) => `/pay/..${path}`,
  (path) => `/pay/%2e%2e${path}`,
  (path) => `/pay/assets/..%2f..${path}`,
  (path) => path.replace('/_emulator/', '/_emulator//'),
  (path) => path.replace('/_emulator', '/_EMULATOR'),
  (path) => path.replace('/_emulator/', '/_emulator%2f'),
  (path) => `${path}/`,
  (path) => `${path}?x=/_emulator/health`,
  (path) => `${path};/_emulator/health`,
]

async function answerTo(
  emulator: TestEmulator,
  { method, path }: { method: string; path: string },
  lines: readonly string[],
): Promise<{ status: number; text: string }> {
  const head = [`${method} ${path} HTTP/1.1`, ...lines, 'connection: close', 'content-length: 2']
  const { text } = await new RawCall(emulator, `${head.join('\r\n')}\r\n\r\n{}`).end()
  return { status: Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)), text }
}

/** All that an attack could change. */
async function worldOf(emulator: TestEmulator): Promise<string> {
  const parts = await Promise.all(
    ['/clients', '/orders', '/deliveries', '/clock'].map((path) => emulator.control(path)),
  )
  return parts.map(({ text }) => text).join('\n')
}

const emulator = await startTestEmulator({}, afterAll)
const guarded = await startTestEmulator({ controlToken: 'right-token' }, afterAll)
let world = ''

beforeAll(async () => {
  const client = await emulator.addClient({ clientId: 'canary' })
  await client.createCheckout('canary-order')
  await client.settle()
  world = await worldOf(emulator)
})

test('the table of calls is not empty', () => {
  expect(calls.length).toBeGreaterThan(25)
})

test.each(attacks)(
  '$name reads nothing and changes nothing, whatever is called',
  async ({ status, lines, before, everywhere = false }) => {
    for (const { method, path } of everywhere ? calls : some) {
      const answer = await answerTo(emulator, { method, path: `${before ?? ''}${path}` }, lines)
      expect(answer.status, `${method} ${path}`).toBe(status)
      expect(answer.text).toMatch(/\r\ncontent-type: application\/json/i)
      expect(answer.text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
      expect(answer.text).not.toMatch(/access-control-|canary|x-powered-by/i)
      expect(JSON.parse(answer.text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
      })
    }
    expect(await worldOf(emulator)).toBe(world)
  },
)

test('no way of writing a path goes round the guards', async () => {
  for (const { method, path } of calls) {
    for (const spell of spellings) {
      const spelt = spell(path)
      for (const line of ['host: evil.example', 'host: 127.0.0.1\r\norigin: http://evil.example']) {
        const { status, text } = await answerTo(emulator, { method, path: spelt }, [line])
        expect([400, 403, 404, 421], `${method} ${spelt}`).toContain(status)
        expect(text).not.toContain('canary')
      }
    }
  }
  expect(await worldOf(emulator)).toBe(world)
})

test('without the control token no call is possible, however the path is written', async () => {
  for (const { method, path } of calls) {
    for (const spell of spellings) {
      await refusedWith('Bearer wrong', method, spell(path))
    }
  }
  for (const authorization of ['', 'right-token', 'Basic right-token', 'Bearer right-token2'])
    for (const { method, path } of calls) await refusedWith(authorization, method, path)
})

async function refusedWith(authorization: string, method: string, path: string): Promise<void> {
  const lines = [local, ...(authorization === '' ? [] : [`authorization: ${authorization}`])]
  const { status, text } = await answerTo(guarded, { method, path }, lines)
  expect([401, 404], `${method} ${path}`).toContain(status)
  expect(text).not.toContain('right-token')
}

test('every answer of the control API says that it is not to be kept, guessed or framed', async () => {
  for (const { method, path } of calls.filter(({ method }) => method === 'GET')) {
    if (path === '/_emulator/events') continue
    const { text } = await answerTo(emulator, { method, path }, [local])
    expect(text, path).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    expect(text, path).toMatch(/\r\ncache-control: no-store\r\n/i)
    expect(text, path).not.toMatch(/access-control-|x-powered-by|\r\nserver:/i)
    if (/content-type: text\/html/i.test(text))
      expect(text, path).toMatch(/content-security-policy: default-src 'none'/i)
  }
})

test.each(['/v1/client/orders', '/_emulator/health', '/_emulator/access-token', '/pay/abc', '/'])(
  '%s is behind neither token nor Host guard, and no page of another origin can read it',
  async (path) => {
    const answer = await answerTo(guarded, { method: 'GET', path }, [
      'host: shop.example',
      'origin: http://evil.example',
    ])
    expect([200, 401, 400, 404, 405]).toContain(answer.status)
    expect(answer.text).not.toMatch(/control_token|host_not_allowed|cross_site|access-control-/)
    expect(answer.text).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
  },
)

test('a payment page that is not there is a page too, and shows nothing of its path', async () => {
  const path = '/pay/<script>alert(1)</script>'
  const { status, text } = await answerTo(emulator, { method: 'GET', path }, [local])
  expect(status).toBe(404)
  expect(text).toMatch(/\r\ncontent-type: text\/html; charset=utf-8\r\n/i)
  expect(text).not.toContain('alert')
})
