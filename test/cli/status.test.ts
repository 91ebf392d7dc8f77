import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { statusText } from '../../src/cli/status/status.ts'
import { freePort } from '../../tools/free-port.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { create, startForTest } from './running.ts'
import { serverFor } from './servers.ts'

async function status(url: string, argv: readonly string[] = [], env = {}) {
  const terminal = new FakeTerminal({ EMULATOR_URL: url, ...env })
  const exitCode = await run(['status', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

test('it tells of orders, deliveries, the clock and what is due next', async () => {
  const { url } = await startForTest({ clock: 'manual', startTime: '2026-01-31T12:00:00Z', seed: 'abc' })
  await create(url, 'r1')
  const { exitCode, out } = await status(url)
  expect(exitCode).toBe(0)
  expect(out).toContain(`${url}: version `)
  expect(out).toContain(', seed abc')
  expect(out).toMatch(/^demo-client$/m)
  expect(out).toContain('  clock       manual, stopped at 2026-01-31T12:00:00Z')
  expect(out).toContain('  orders      1 (1 CREATED)')
  expect(out).toContain('  deliveries  1 (1 skipped)')
  expect(out).toContain('  next due    in 2s (2026-01-31T12:00:02Z)')
  expect(out).toContain('  webhooks    no URL is registered')
})

test('--json prints what the control API answers, also of one client', async () => {
  const { url } = await startForTest({ clock: 'manual' })
  await post(`${url}/_emulator/clients`, { clientId: 'shop-a' })
  await post(`${url}/_emulator/faults?clientId=shop-a`, { on: 'orders', effect: { status: 503 } })
  await post(`${url}/_emulator/faults`, { on: 'orders', effect: { status: 503 } })
  const all = JSON.parse((await status(url, ['--json'])).out)
  expect(all.clients.map(({ clientId }: { clientId: string }) => clientId)).toEqual(['demo-client', 'shop-a'])
  const one = JSON.parse((await status(url, ['--json', '--client', 'shop-a'])).out)
  expect(one).toMatchObject({
    faults: 1,
    clients: [{ clientId: 'shop-a', orders: {}, nextDueAt: null, faults: 1 }],
  })
})

test('--env prints what a shell can read, whatever stands in it', async () => {
  const apiSecret = `it's "$HOME" \`x\` \\`
  const { url } = await startForTest({ apiSecret })
  const { out } = await status(url, ['--env'])
  const script = `${out}\nprintf '%s\\n' "$PAYMENT_ORDER_BASE_URL" "$PAYMENT_ORDER_CLIENT_ID" "$PAYMENT_ORDER_API_SECRET" "$PAYMENT_ORDER_ACCESS_TOKEN" "$PAYMENT_ORDER_WEBHOOK_SECRET"`
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
    url,
    'demo-client',
    apiSecret,
    'demo-token',
    'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
  ])
})

test('--env is of the client that is named', async () => {
  const { url } = await startForTest()
  await post(`${url}/_emulator/clients`, { clientId: 'shop-a', apiSecret: 'sesame' })
  for (const [argv, env] of [
    [['--env', '--json', '--client', 'shop-a'], {}],
    [['--env', '--json'], { EMULATOR_CLIENT_ID: 'shop-a' }],
  ] as const) {
    expect(JSON.parse((await status(url, argv, env)).out)).toMatchObject({
      PAYMENT_ORDER_API_SECRET: 'sesame',
    })
  }
})

test('a client or a token that is not right is wrong usage', async () => {
  const { url } = await startForTest({ controlToken: 'hush' })
  expect(await status(url)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining(' rejects the call: '),
  })
  const nobody = await status(url, ['--control-token', 'hush', '--client', 'nobody'])
  expect(nobody).toMatchObject({ exitCode: 2, err: expect.stringContaining('nobody') })
  expect((await status(url, [], { EMULATOR_CONTROL_TOKEN: 'hush' })).exitCode).toBe(0)
})

test('where no emulator answers it ends with 1', async () => {
  const nobody = await status(`http://127.0.0.1:${await freePort()}`)
  expect(nobody).toMatchObject({ exitCode: 1, err: expect.stringContaining('no emulator answers at') })
  const { port } = await serverFor((_, answer) => answer.end('{"clients":1}'))
  const another = await status(`http://127.0.0.1:${port}`)
  expect(another).toMatchObject({ exitCode: 1, err: expect.stringContaining('is not an emulator') })
})

test.each([
  [{ FAILED: 1, CREATED: 12_000 }, 'orders      12,001 (12,000 CREATED, 1 FAILED)'],
  [{}, 'orders      none'],
])('orders %j are told as "%s"', (orders, words) => {
  expect(textWith({ orders })).toContain(words)
})

test.each([
  [{ clock: { mode: 'real', now: 0, speed: 60 } }, 'clock       60x, 1970-01-01T00:00:00Z'],
  [{ nextDueAt: null }, 'next due    nothing'],
  [{ nextDueAt: 0 }, 'next due    now'],
  [{ nextDueAt: 93_784_000 }, 'next due    in 1d 2h 3m 4s (1970-01-02T02:03:04Z)'],
  [{ faults: 2 }, 'faults      2 planned'],
  [{ webhookUrl: 'http://a/\u001b[2J' }, 'webhooks    go to http://a/\\u001b[2J'],
] as const)('%j is told as "%s"', (member, words) => {
  expect(textWith(member)).toContain(words)
})

test('of very many clients the first fifty are told', () => {
  const text = textWith({}, 52)
  expect(text.match(/^c\d+$/gm)).toHaveLength(50)
  expect(text).toContain('and 2 more clients; use `--client` to show one, or `--json` for all')
})

type Shown = Parameters<typeof statusText>[1]['clients'][number]

function textWith(member: Partial<Shown>, count = 1): string {
  const one: Shown = {
    clientId: 'c',
    clock: { mode: 'manual', now: 0, speed: 0 },
    webhookUrl: null,
    orders: {},
    deliveries: {},
    nextDueAt: null,
    faults: 0,
    ...member,
  }
  const clients = Array.from({ length: count }, (_, n) => ({ ...one, clientId: `c${n}` }))
  return statusText('http://a', { version: '1', uptimeMs: 1, seed: 's', faults: 0, clients }, false)
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
