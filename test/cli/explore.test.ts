import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../src/cli/program.ts'
import type { Environment } from '../../src/cli/terminal.ts'
import type { ExploreReport } from '../../src/conform/explore/report.ts'
import { readStoryFile } from '../../src/conform/stories/read-story-file.ts'
import { freePort } from '../../tools/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { startForTest } from './running.ts'

async function explore(argv: readonly string[], env: Environment = {}, terminal = new FakeTerminal(env)) {
  const exitCode = await run(['explore', ...argv], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

const nowhere = 'http://127.0.0.1:9'

test.each([
  [['nowhere.yaml'], /no file "nowhere.yaml"\n.* conform --init +writes a file to fill in$/],
  [['--time', 'soon'], /--time: expected a duration like 90s or 10m, not "soon"/],
  [['--time', '0s'], /--time: expected a duration .*, not "0s"/],
  [['--stories', '0'], /--stories: expected a whole number of at least 1, not "0"/],
  [['--stories', '1.5'], /--stories: expected a whole number .*, not "1.5"/],
  [['--acts', '31'], /--acts: expected a whole number from 2 to 30, not "31"/],
  [['--acts', '1'], /--acts: expected a whole number from 2 to 30, not "1"/],
  [['--at-once', '65'], /--at-once: expected a whole number from 1 to 64, not "65"/],
  [
    ['--without', 'reconsile'],
    /unknown act "reconsile"; did you mean `reconcile`\?[\s\S]*\n {2}tokens expire\n/,
  ],
  [['--without', 'reconcile,walk'], /unknown act "walk"/],
  [['--without', 'create, answer lost,pay'], /`pay` cannot be left out/],
  [['--near', 'nowhere.yaml'], /no file or folder "nowhere.yaml"/],
  [['--out', ''], /--out: expected a folder/],
  [['--settle', '5'], /--settle: .*write 5s/],
  [['--url', nowhere, '--', 'true'], /with a command, `explore` starts its own emulator/],
  [['--'], /no command after `--`/],
  [['a.yaml', 'b.yaml'], /too many arguments/],
])('%s is wrong usage', async (argv, message) => {
  expect(await explore(argv, { EMULATOR_URL: nowhere })).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(message),
  })
})

test('--near shows the place of a mistake in the story', async () => {
  const file = join(aFolder(), 'story.yaml')
  writeFileSync(file, 'acts:\n  - create\n  - walk\n')
  expect(await explore(['--near', file])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/story\.yaml:3:\d+: .*walk/s),
  })
})

test('files that cannot be written are reported before the search', async () => {
  const file = join(aFolder(), 'file')
  writeFileSync(file, '')
  for (const [argv, message] of [
    [['--out', join(file, 'found')], 'is a file; name a folder'],
    [['--junit', join(file, 'x.xml')], 'cannot write'],
    [['--html', aFolder()], 'EISDIR'],
  ] as const)
    expect(await explore(argv)).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) })
})

test('a wrong configuration is shown with its places, in every format', async () => {
  const folder = aFolder()
  const [file, junit] = [join(folder, 'conform.yaml'), join(folder, 'explore.xml')]
  writeFileSync(file, 'webhookUrl: ${SHOP}\nsetle: 1s\n')
  const { exitCode, out, err } = await explore([file, '--json', '--junit', junit], { EMULATOR_URL: nowhere })
  expect(exitCode).toBe(2)
  expect(err).toContain(`${file}:2:1: unknown key \`setle\`; did you mean \`settle\`?`)
  expect(JSON.parse(out)).toMatchObject({ ok: false, stories: 0, problems: [{ member: `${file}:1:13` }, {}] })
  expect(readFileSync(junit, 'utf8')).toContain('unknown key `setle`')
})

test('an emulator that is not there ends it with 1', async () => {
  expect(await explore(['--webhook-url', 'http://a.test', '--url', nowhere])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(nowhere),
  })
})

test('an emulator that requires a control token says so', async () => {
  const { url } = await startForTest({ controlToken: 'key' })
  expect(await explore(['--webhook-url', 'http://a.test', '--url', url])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('--control-token'),
  })
})

/** A shop with a configuration, which releases for each webhook if a lookup says COMPLETED.
 *  @param condition when it releases: `true`, or `!order.parcels`
 *  @param options.effects whether the configuration has `probe.effects`
 *  @param options.stock how many orders it creates */
async function aShop(
  condition: string,
  { effects = true, stock = 1e6 }: { effects?: boolean; stock?: number } = {},
) {
  const folder = aFolder()
  const at = (name: string) => join(folder, name)
  const url = `http://127.0.0.1:${await freePort()}`
  writeFileSync(
    at('shop.mjs'),
    `
import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
const { PAYMENT_ORDER_BASE_URL: base, PAYMENT_ORDER_CLIENT_ID: clientId, PAYMENT_ORDER_API_SECRET: secret,
  PAYMENT_ORDER_ACCESS_TOKEN: token } = process.env
const call = async (path, order, headers) => {
  const answer = await fetch(base + path, {
    method: order ? 'POST' : 'GET',
    body: order && JSON.stringify(order),
    headers: { 'content-type': 'application/json', 'access-token': token, ...headers },
  })
  return answer.ok ? answer.json() : null
}
const orders = new Map()
async function create() {
  if (orders.size >= ${stock}) throw new Error('sold out')
  const requestId = randomUUID()
  orders.set(requestId, { status: 'new', parcels: 0 })
  const signature = createHmac('sha256', secret).update('fiatAmount=10.00&requestId=' + requestId).digest('base64')
  const order = { clientId, requestId, fiatAmount: '10.00', currencyId: 'usd_us', email: 'a@example.com' }
  for (let time = 1; time <= 2; time++)
    if (await call('/v1/client/checkout/create-order', order, { signature }).catch(() => null)) break
  return { requestId }
}
async function webhook({ requestId }) {
  const order = orders.get(requestId)
  if (!order) return
  const answer = await call('/v1/client/orders?clientId=' + clientId + '&requestId=' + requestId)
  for (const { orderStatus } of answer.data) {
    if (orderStatus === 'COMPLETED') {
      order.status = 'paid'
      if (${condition}) order.parcels += 1
    }
    if (orderStatus === 'FAILED' && order.status === 'new') order.status = 'failed'
  }
}
createServer((request, response) => {
  let text = ''
  request.on('data', (part) => { text += part })
  request.on('end', async () => {
    const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      if (request.url === '/orders') return send(200, await create())
      if (request.url === '/webhooks') return send(200, await webhook(JSON.parse(text)) ?? {})
      const order = orders.get(request.url.split('/').at(-1))
      send(order ? 200 : 404, order ?? {})
    } catch {
      send(503, {})
    }
  })
}).listen(${new URL(url).port}, '127.0.0.1')
`,
  )
  writeFileSync(
    at('conform.yaml'),
    `
webhookUrl: ${url}/webhooks
settle: 50ms
patience: 1s
polling: 500ms
start: { url: ${url}/orders, requestId: /requestId }
probe:
  url: ${url}/orders/{requestId}
  status: /status
  statuses: { CREATED: new, COMPLETED: paid, FAILED: failed }
${effects ? '  effects: /parcels\n' : ''}`,
  )
  const argv = [
    at('conform.yaml'),
    '--out',
    at('found'),
    '--without',
    'tokens expire, lookups are stale, restart',
  ]
  const command = ['--', process.execPath, at('shop.mjs')]
  return { at, argv, command }
}

const env = { PATH: process.env.PATH }

test('without probe.effects nothing can be judged, and it says so', async () => {
  const { at, argv, command } = await aShop('true', { effects: false })
  const { exitCode, out } = await explore([...argv, ...command], env)
  expect(exitCode).toBe(2)
  expect(out).toMatch(
    /conform\.yaml:\d+:\d+: probe.effects: explore judges by what your application has released/,
  )
  expect(out).toContain('No story was played: the configuration has a problem.')
  expect(existsSync(at('found'))).toBe(false)
})

test('a shop that releases twice is found, and the story is kept in every format', async () => {
  const { at, argv, command } = await aShop('true')
  const files = ['--junit', at('explore.xml'), '--html', at('explore.html')]
  const limits = ['--stop-at-first', '--stories', '400', '--seed', 'one']
  const { exitCode, out, err } = await explore([...argv, '--json', ...files, ...limits, ...command], env)
  expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' })
  const report: ExploreReport = JSON.parse(out)
  const file = at('found/released-twice.yaml')
  expect(report).toMatchObject({ ok: false, seed: 'one', stopped: null, problems: [] })
  expect(report.found).toHaveLength(1)
  expect(report.found[0]).toMatchObject({ promise: 'released-once', seldom: false, file })
  expect(report.found[0]?.acts.length).toBeLessThanOrEqual(4)
  expect(report.found[0]?.again).toBe(
    `payment-order-emulator conform ${at('conform.yaml')} --story ${file} ${command.join(' ')}`,
  )
  expect(readStoryFile(readFileSync(file, 'utf8'), file)).toHaveProperty('story')
  expect(readFileSync(at('explore.xml'), 'utf8')).toContain('<failure type="released-once"')
  expect(readFileSync(at('explore.html'), 'utf8')).toContain('released twice')
}, 60_000)

test('one that releases once has nothing found, by a search that is as long as asked for', async () => {
  const { at, argv, command } = await aShop('!order.parcels')
  const { exitCode, out } = await explore([...argv, '--stories', '40', ...command], env)
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: expect.stringMatching(/^40 stories, [\s\S]*\nNothing found in 40 stories\./),
  })
  expect(existsSync(at('found'))).toBe(false)
})

test.each([
  ['true', /1 found/, 1, 'Found 1 story that breaks a promise.'],
  ['!order.parcels', /[1-9]\d* stories/, 130, 'Nothing found in'],
] as const)(
  'Ctrl-C ends a search with what was found: %s',
  async (condition, pattern, exitCode, result) => {
    const { at, argv, command } = await aShop(condition)
    const terminal = new FakeTerminal(env, { interactive: true, columns: 80 })
    const ended = explore([...argv, '--time', '10m', ...command], env, terminal)
    await terminal.written(pattern)
    // Kept at once: a search may end without a report.
    expect(existsSync(at('found'))).toBe(exitCode === 1)
    process.emit('SIGINT')
    const { out, err, ...rest } = await ended
    expect(rest).toEqual({ exitCode })
    expect(out).toContain(result)
    expect(err).toContain('stopped; restoring the client')
    expect(existsSync(at('found'))).toBe(exitCode === 1)
  },
  60_000,
)

test('a configuration that turns out to be wrong ends the search, and what was played is shown', async () => {
  const { argv, command } = await aShop('(orders.size > 30 && delete order.status), !order.parcels')
  const { exitCode, out } = await explore([...argv, ...command], env)
  expect({ exitCode, out }).toEqual({
    exitCode: 2,
    out: expect.stringMatching(/^\d+ stories, [\s\S]*which ended the search[\s\S]* {2}- probe\.status: /),
  })
  expect(out).toContain('Until then, no story broke a promise.')
})

test('what was found before the emulator went away is kept, and named', async () => {
  const { at, argv } = await aShop('true')
  const [url = ''] = /http:\S+(?=\/webhooks)/.exec(readFileSync(at('conform.yaml'), 'utf8')) ?? []
  const emulator = await startForTest()
  const shop = spawn(process.execPath, [at('shop.mjs')], {
    env: {
      PAYMENT_ORDER_BASE_URL: emulator.url,
      PAYMENT_ORDER_CLIENT_ID: 'demo-client',
      PAYMENT_ORDER_API_SECRET: 'demo-secret',
      PAYMENT_ORDER_ACCESS_TOKEN: 'demo-token',
    },
  })
  onTestFinished(() => void shop.kill('SIGKILL'))
  await vi.waitFor(() => fetch(`${url}/orders/none`), { timeout: 10_000 })
  const terminal = new FakeTerminal(env, { interactive: true, columns: 80 })
  const ended = explore([...argv, '--time', '10m', '--url', emulator.url], env, terminal)
  await terminal.written(/1 found/)
  await emulator.close()
  const { exitCode, err } = await ended
  expect(exitCode).toBe(1)
  expect(err).toContain(`found before, and kept as ${at('found/released-twice.yaml')}`)
}, 60_000)

test('a terminal shows what is being done in one line, and nothing of it stays', async () => {
  const { argv, command } = await aShop('!order.parcels')
  const terminal = new FakeTerminal(env, { interactive: true, columns: 80 })
  const { err } = await explore([...argv, '--stories', '20', ...command], env, terminal)
  expect(err).not.toContain('error')
  expect(terminal.errors.every((text) => text.startsWith('\r\u001b[2K') && text.length < 84)).toBe(true)
  expect(terminal.errors.at(0)).toContain('checking the configuration')
  expect(terminal.errors.join('\n')).toMatch(/\d+ stories · \d+ pairs left · playing · 4 min \d+ s left/)
  expect(terminal.errors.at(-1)).toBe('\r\u001b[2K')
})

test('an application that creates no more orders ends the search', async () => {
  const { at, argv, command } = await aShop('!order.parcels', { stock: 20 })
  const { exitCode, out } = await explore([...argv, '--html', at('explore.html'), ...command], env)
  expect({ exitCode, out }).toEqual({
    exitCode: 1,
    out: expect.stringMatching(/\nSTOPPED {2}your application creates no more orders: .*503/),
  })
  expect(out).toMatch(/ran beside each other:\n {2}- create[;,] /)
  expect(out).toContain('Until then, no story broke a promise.')
  expect(readFileSync(at('explore.html'), 'utf8')).toContain('The search was stopped')
})
