import { expect, test } from 'vitest'
import { startTestEmulator } from '../support/emulator.ts'

const good = 'id: mine\ndescription: The last good one\ntimeline:\n  - { at: 2s, pay: completed }\n'

/** Texts that would cost time or memory, or mean two things. */
const bad: readonly [string, string, RegExp][] = [
  ['an alias bomb', `${good}a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`, /:\d+:\d+: anchors and aliases/],
  ['lists 10,000 levels deep', `${good}a: ${'['.repeat(10_000)}`, /:5:\d+: nested deeper than 64 levels/],
  ['a key twice', `${good}id: mine\n`, /:5:1: `id` occurs twice/],
  ['a line without a colon', `${good}x\n`, /:5:1: expected `key: value`/],
  ['an unknown tag', `${good}a: !!js/function 'x'\n`, /:5:4: Unresolved tag/],
  ['a tag that names a file', `${good}a: !include /etc/passwd\n`, /:5:4: Unresolved tag/],
  [
    'a number that cannot be exact',
    `${good}a: 9007199254740993\n`,
    /:5:4: .*too large to be represented exactly/,
  ],
  ['a merge key', `${good}a:\n  <<: { b: 1 }\n`, /:6:3: merge keys/],
  ['a byte order mark', `\ufeff${good}`, /:1:1: begins with a byte order mark/],
  ['two documents', `${good}---\n${good}`, /:5:1: a second document/],
  ['special keys', `${good}__proto__: { polluted: true }\n`, /:5:1: unknown key `__proto__`/],
]

const headers = { 'content-type': 'application/yaml' }

test.each(bad)('%s is refused with its place, and the last good scenario stays', async (_, text, told) => {
  const emulator = await startTestEmulator()
  const put = (body: string) => emulator.send('/_emulator/scenarios/mine', { method: 'PUT', headers, body })
  expect((await put(good)).status).toBe(200)
  const answer = await put(text)
  expect(answer.status).toBe(400)
  expect(Object(answer.json.error).message).toMatch(told)
  expect((await emulator.control('/scenarios/mine')).json.text).toBe(good)
  const client = await emulator.addClient({ defaultScenario: 'mine' })
  expect((await client.createCheckout('r1')).status).toBe(200)
  expect(Object((await client.order('r1')).scenario)).toMatchObject({ id: 'mine' })
  expect(Object.keys({})).toEqual([])
})

test.each(bad.filter(([name]) => name !== 'a key twice'))(
  '%s is refused in a fixture, and nothing is loaded',
  async (_, text) => {
    const emulator = await startTestEmulator()
    const before = (await emulator.control('/clients')).text
    const body = text.replace(good, 'clients:\n  - clientId: fresh\n\n\n')
    const answer = await emulator.send('/_emulator/fixtures', { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    expect(Object(answer.json.error).message).toMatch(/^body:\d+:\d+: /)
    expect((await emulator.control('/clients')).text).toBe(before)
  },
)

const calls = [
  ['/_emulator/scenarios/mine', 'PUT'],
  ['/_emulator/fixtures', 'POST'],
] as const

test.each(calls)('a text of half a million things is refused by %s, YAML or JSON', async (path, method) => {
  const emulator = await startTestEmulator()
  for (const type of ['application/yaml', 'application/json']) {
    for (const body of [`[${'1,'.repeat(524_000)}1]`, '- 1\n'.repeat(262_000), '\n'.repeat(1_048_000)]) {
      const answer = await emulator.send(path, { method, headers: { 'content-type': type }, body })
      expect(answer.status).toBe(400)
      expect(Object(answer.json.error).message).toMatch(/^\w+:\d+:\d+: has more than 20000 tokens [^\n]*$/)
    }
  }
})

test.each([
  ['orders', Array.from({ length: 1_000 }, () => ({ status: 'COMPLETED' }))],
  ['charges', [{ kind: 'subscription', interval: 'DAILY', authorised: '2016-01-01T00:00:00Z' }]],
  [
    'attempts',
    Array.from({ length: 30 }, () => ({
      status: 'COMPLETED',
      deliveries: [{ status: 'dead', attempts: 100 }],
    })),
  ],
  [
    'refunds',
    Array.from({ length: 31 }, () => ({
      status: 'COMPLETED',
      refunds: Array.from({ length: 100 }, () => ({ fiatAmount: '0.01' })),
    })),
  ],
])('a fixture with more %s than can be loaded at once is refused whole', async (_, orders) => {
  const emulator = await startTestEmulator()
  const before = (await emulator.control('/clients')).text
  const body = JSON.stringify({ clients: [{ clientId: 'fresh', orders }] })
  const answer = await emulator.send('/_emulator/fixtures', { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  expect(Object(answer.json.error).message).toContain('the fixture exceeds the limit')
  expect((await emulator.control('/clients')).text).toBe(before)
})

test('of a fixture that is wrong throughout the first problems are told', async () => {
  const emulator = await startTestEmulator()
  const orders = Array.from({ length: 900 }, (_, n) => ({ scenario: `hapy-${n}` }))
  const body = JSON.stringify({ clients: [{ clientId: 'fresh', orders }] })
  const answer = await emulator.send('/_emulator/fixtures', { method: 'POST', headers, body })
  const told = String(Object(answer.json.error).message).split('\n')
  expect(told[0]).toMatch(/there is no scenario `hapy-0`$/)
  expect(told.at(-1)).toMatch(/and 150 more problems$/)
})

test('ten megabytes of YAML are refused unread', async () => {
  const emulator = await startTestEmulator()
  const body = `${good}# ${'x'.repeat(10 * 1024 * 1024)}`
  for (const [path, method] of calls)
    expect((await emulator.send(path, { method, headers, body })).status).toBe(413)
})

test.each([
  '../secret',
  '..%2fsecret',
  '%2e%2e%2fsecret',
  '..%5csecret',
  '%2fetc%2fpasswd',
  'package.json',
  'schema.json',
  'happy.yaml',
  'happy%00.yaml',
  '%252e%252e%252fsecret',
])('the scenario %s is nothing that is read from or written to a disk', async (name) => {
  const emulator = await startTestEmulator()
  const path = `/_emulator/scenarios/${name}`
  for (const suffix of ['', '/explain']) {
    const answer = await emulator.send(`${path}${suffix}`, { method: 'GET' })
    expect([400, 404, 405], `${answer.status} ${answer.text}`).toContain(answer.status)
  }
  const id = decodeURIComponent(name)
  const put = await emulator.send(path, {
    method: 'PUT',
    headers,
    body: good.replace('mine', JSON.stringify(id)),
  })
  expect([400, 404, 405], `${put.status} ${put.text}`).toContain(put.status)
  const next = await emulator.send('/_emulator/scenarios/next', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { scenario: id },
  })
  expect([400, 404]).toContain(next.status)
})
