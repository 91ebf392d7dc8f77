import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import type { SweepReport } from '../../src/sweep/report.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { spawnProgram } from './spawned.ts'

/** A shop and its only test: creates an order, moves the clock, and expects one parcel. Written for no test runner: it
 *  ends with 1 if the parcel count is wrong. */
const shop = `
const http = require('node:http')
const { createHmac, randomUUID } = require('node:crypto')
const { PAYMENT_ORDER_BASE_URL: base, PAYMENT_ORDER_CLIENT_ID: clientId, PAYMENT_ORDER_API_SECRET: secret,
  PAYMENT_ORDER_ACCESS_TOKEN: token } = process.env
const call = (path, method, body, headers) =>
  fetch(base + path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
let parcels = 0
const seen = new Set()
const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => { text += chunk })
  request.on('end', () => {
    const { orderId, orderStatus, eventType } = JSON.parse(text)
    const isNew = !DEDUPES || !seen.has(orderId)
    if (orderStatus === 'COMPLETED' && isNew) { parcels += 1; seen.add(orderId) }
    response.end()
  })
}).listen(0, '127.0.0.1', async () => {
  await call('/_emulator/clients/' + clientId, 'PATCH', { webhookUrl: 'http://127.0.0.1:' + server.address().port })
  const requestId = randomUUID()
  const signature = createHmac('sha256', secret).update('fiatAmount=10.00&requestId=' + requestId).digest('base64')
  const order = { clientId, requestId, fiatAmount: '10.00', currencyId: 'usd_us', email: 'a@example.com' }
  await call('/v1/client/checkout/create-order', 'POST', order, { signature, 'access-token': token })
  await call('/_emulator/clock/advance?clientId=' + clientId, 'POST', { by: '10s' })
  if (process.env.JUNIT) require('node:fs').writeFileSync(process.env.JUNIT,
    '<testsuite><testcase name="ships one parcel">' + (parcels === 1 ? '' : '<failure message="expected 1, got ' + parcels + '"/>') + '</testcase></testsuite>')
  console.log(parcels + ' parcels')
  process.exit(parcels === 1 ? 0 : 1)
})`

/** The command that runs the shop's test. */
function shopTest(deduplicates: boolean): string[] {
  const file = join(aFolder(), 'shop.cjs')
  writeFileSync(file, shop.replace('DEDUPES', String(deduplicates)))
  return [process.execPath, file]
}

async function swept(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = new FakeTerminal({ PATH: process.env.PATH, ...env })
  const exitCode = await run(['sweep', '--clock', 'manual', ...words], terminal)
  return { exitCode, out: terminal.output.join('\n'), err: terminal.errors.join('\n') }
}

test('a shop that ships twice is broken by webhook-twice, and the one that looks twice survives', async () => {
  const bad = await swept(['--only', 'webhook-twice,expiry-offset', '--', ...shopTest(false)])
  expect(bad.exitCode).toBe(1)
  expect(bad.out).toMatch(
    /webhook-twice +BROKE +2 parcels\n +struck 2 times · legal: .*N44.* · again: .*sweep --only webhook-twice --keep --clock manual --seed [0-9a-f]{8} -- /,
  )
  expect(bad.out).toMatch(/expiry-offset +survived +struck once/)
  expect(bad.out).toContain('1 of 2 behaviours survived, 1 broke')
  const good = await swept(['--only', 'webhook-twice', '--', ...shopTest(true)])
  expect(good).toMatchObject({ exitCode: 0, err: '' })
  expect(good.out).toMatch(/webhook-twice +survived +struck 2 times/)
})

test('reports are written in every form, and name the test that failed', async () => {
  const folder = aFolder()
  const file = (name: string) => join(folder, name)
  const { exitCode, out } = await swept(
    [
      ...['--only', 'webhook-twice', '--json', '--report', file('tests.xml'), '--junit', file('a/sweep.xml')],
      ...['--html', file('sweep.html'), '--summary', file('summary.md'), '--', ...shopTest(false)],
    ],
    { JUNIT: file('tests.xml') },
  )
  expect(exitCode).toBe(1)
  const report: SweepReport = JSON.parse(out)
  expect(report).toMatchObject({
    version: 1,
    baseline: { tests: 1 },
    counts: { BROKE: 1 },
    results: [{ outcome: 'BROKE', failed: [{ name: 'ships one parcel', message: 'expected 1, got 2' }] }],
  })
  expect(readFileSync(file('a/sweep.xml'), 'utf8')).toContain('failures="1"')
  expect(readFileSync(file('sweep.html'), 'utf8')).toContain('expected 1, got 2')
  expect(readFileSync(file('summary.md'), 'utf8')).toMatch(/^## Sweep: 0 of 1 behaviour survived, 1 broke/)
})

/** The command of a shop's test, with lines of its own before and with another end. */
function changedShop(before: string, end: string): string[] {
  const file = join(aFolder(), 'shop.cjs')
  const changed = shop.replace('process.exit(parcels === 1 ? 0 : 1)', end).replace('DEDUPES', 'false')
  writeFileSync(file, before + changed)
  return [process.execPath, file]
}

test('a suite that hangs under a behaviour is ended with all its processes, and says so', async () => {
  const pids = join(aFolder(), 'pids')
  const command = changedShop(
    `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + ' ')`,
    'if (parcels === 1) process.exit(0)',
  )
  const { exitCode, out } = await swept(['--only', 'webhook-twice', '--timeout', '3s', '--', ...command])
  expect(exitCode).toBe(1)
  expect(out).toMatch(/webhook-twice +BROKE +.*the tests were stopped after 3 s/)
  const [, , first, second] = readFileSync(pids, 'utf8').trim().split(' ').map(Number)
  for (const pid of [first, second]) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH')
})

test('a suite that crashes under a behaviour before it reports is broken by it', async () => {
  const report = join(aFolder(), 'tests.xml')
  const [node = '', file = ''] = changedShop(
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, '<testsuite/>'));`,
    'parcels === 1 ? process.exit(0) : process.abort()',
  )
  const { exitCode, out } = await swept(['--only', 'webhook-twice', '--report', report, '--', node, file])
  expect(exitCode).toBe(1)
  expect(out).toMatch(/webhook-twice +BROKE +2 parcels/)
})

test('a suite that cannot run twice at once, as one with fixed ports, is played by one job', async () => {
  const folder = aFolder()
  const [lock, begun] = [join(folder, 'lock'), join(folder, 'begun')].map((path) => JSON.stringify(path))
  // Of the runs that are parallel, the third and the fourth, one holds the lock until the other has failed to get it.
  const command = changedShop(
    `const fs = require('node:fs')
     const runs = () => fs.readFileSync(${begun}, 'utf8').length
     try { fs.writeFileSync(${lock}, '', { flag: 'wx' }) } finally { fs.appendFileSync(${begun}, '.') }
     process.on('exit', () => fs.rmSync(${lock}))
     const third = runs() === 3
     while (third && runs() < 4) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);`,
    'process.exit(parcels === 1 ? 0 : 1)',
  )
  const only = ['--only', 'webhook-twice,ids-other-shape,create-answer-500']
  const { exitCode, out, err } = await swept(['--jobs', '2', ...only, '--', ...command])
  expect(err).toMatch(
    /^warning: the tests fail when several runs are parallel, so `sweep` goes on with one job/,
  )
  expect(out).toMatch(/webhook-twice +BROKE/)
  expect(out).toMatch(/ids-other-shape +survived/)
  expect(exitCode).toBe(1)
})

test('two sweeps at once keep out of each other’s way', async () => {
  const sweeps = [false, true].map((deduplicates) => {
    const only = deduplicates ? 'webhook-twice' : 'webhook-twice,expiry-offset'
    return spawnProgram(['sweep', '--clock', 'manual', '--only', only, '--', ...shopTest(deduplicates)])
  })
  expect(await Promise.all(sweeps.map(({ ended }) => ended))).toEqual([1, 0])
  const [bad, good] = sweeps.map(({ written }) => written.out)
  expect(bad).toContain('1 of 2 behaviours survived, 1 broke')
  expect(good).toContain('1 of 1 behaviour survived')
})

test.each([
  [[], /needs the command that runs your tests after `--`/],
  [
    ['--only', 'webhok-twice', '--', 'true'],
    /unknown behaviour "webhok-twice"; did you mean `webhook-twice`\?/,
  ],
  [['--skip', 'webhook-twice', '--', 'true'], /a reason is required/],
  [['--quick', '--only', 'webhook-twice', '--', 'true'], /use only one of them/],
  [['--keep', '--', 'true'], /`--keep` needs one behaviour/],
  [['--jobs', '0', '--', 'true'], /--jobs: expected a number from 1 to 64, not "0"/],
  [['--timeout', 'soon', '--', 'true'], /--timeout: expected a duration like 90s or 10m, not "soon"/],
  [['--port', '4600', '--', 'true'], /`--port` does not work with `sweep`/],
  [['--', 'there-is-no-such-command'], /command not found: "there-is-no-such-command"/],
  [['--', 'true'], /have not used an emulator/],
  [['--', 'false'], /the unchanged tests fail/],
  [['--report', 'no-such-file.xml', '--', 'true'], /have not written the file "no-such-file.xml"/],
  [['--report', 'package.json', '--', 'true'], /package.json" is older than this run/],
  [['--timeout', '200ms', '--', 'sleep', '60'], /longer than `--timeout`/],
])('%j is refused in words', async (words, message) => {
  const { exitCode, err } = await swept(words)
  expect(err).toMatch(message)
  expect([2, 127]).toContain(exitCode)
})

test('--list has every behaviour with its ground, and runs nothing', async () => {
  const { exitCode, out } = await swept(['--list'])
  expect(exitCode).toBe(0)
  expect(out).toMatch(
    /^webhook-twice +sends each webhook twice at the same time, and answers lookups slowly \(quick\)\n +legal: /m,
  )
})

test('Ctrl-C in the middle prints what is known, ends with 130, and leaves no process', async () => {
  const [node = '', file = ''] = shopTest(true)
  const slow = `if [ "$0" = x ]; then :; fi; ${node} ${file} || exit 1; if [ -e started ]; then echo waits; sleep 600; fi; [ -e second ] && touch started; touch second`
  const cwd = aFolder()
  const program = spawnProgram(
    ['sweep', '--clock', 'manual', '--only', 'webhook-twice', '--', '/bin/sh', '-c', `cd ${cwd}; ${slow}`],
    { detached: true },
  )
  await program.wrote(/behaviours? in 1 runs?/)
  program.child.kill('SIGINT')
  expect(await program.ended).toBe(130)
  expect(program.written.out).toContain('Interrupted. So far: 0 of 0 behaviours survived')
})
