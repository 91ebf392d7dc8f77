import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isObject } from '../support/answer.ts'
import type { TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { percentile, report } from './support/figures.ts'
import { Document } from './support/fuzz/document.ts'
import { aFolder } from './support/load.ts'
import { startRemote } from './support/remote.ts'

/** Programs of others; `.ci/run` installs them. */
const isInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}

/** All that look at what is there, rather than ask the internet what there might be. */
const wapitiModules = [
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock',
  'sql,ssrf,xss,xxe',
].join()

/** What wapiti finds missing and we leave out on purpose: nobody encrypts loopback, and no browser knows the other any
 *  more. */
const known = ['Strict-Transport-Security is not set', 'X-XSS-Protection is not set']

test.skipIf(!isInstalled('wapiti'))('wapiti finds nothing worse than informational', async () => {
  const { emulator } = await startRemote(['--webhook-allow', '127.0.0.1'])
  const endpoint = await startReceiver()
  const folder = aFolder()
  const urls = await readable(emulator)
  const output = join(folder, 'report.json')
  await run(
    'wapiti',
    [
      ...['-u', `${emulator.url}/_emulator/docs`, ...urls.flatMap((url) => ['-s', url]), '--scope', 'domain'],
      ...[
        '-m',
        wapitiModules,
        '-H',
        'access-token: demo-token',
        '--max-scan-time',
        '30',
        '--max-attack-time',
        '10',
      ],
      ...['--external-endpoint', endpoint.url, '--internal-endpoint', endpoint.url, '--no-bugreport'],
      ...['--flush-session', '-f', 'json', '-o', output],
    ],
    { HOME: folder },
  )
  const found = findingsIn(JSON.parse(readFileSync(output, 'utf8')))
  const worse = found.filter((finding) => !known.some((each) => finding.includes(each)))
  report({
    area: 'scanners',
    promise: 'wapiti finds nothing worse than informational',
    test: 'test/hard/scanners.test.ts',
    figures: {
      'URLs scanned': urls.length + 1,
      modules: wapitiModules.split(',').length,
      'findings (informational)': found.length - worse.length,
      'findings (worse)': worse.length,
    },
  })
  expect(worse).toEqual([])
  expect((await emulator.addClient().then((client) => client.createCheckout('r1'))).status).toBe(200)
})

/** What there is to read, with something in every parameter. */
async function readable(emulator: TestEmulator): Promise<string[]> {
  const documents = await Promise.all(
    ['/openapi.json', '/openapi-control.json'].map(
      async (path) => new Document((await emulator.control(path)).json),
    ),
  )
  return documents
    .flatMap(({ operations }) => operations)
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
    .map(({ path, parameters }) => {
      const query = parameters.filter((each) => each.in === 'query').map(({ name }) => `${name}=1`)
      const filled = path.replaceAll(/\{\w+\}/g, path.includes('/clients/') ? 'demo-client' : 'happy')
      return `${emulator.url}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`
    })
}

function findingsIn(found: unknown): string[] {
  const kinds = isObject(found) ? [found.vulnerabilities, found.anomalies] : []
  return kinds.flatMap((kind) =>
    Object.entries(Object(kind)).flatMap(([name, list]) =>
      (Array.isArray(list) ? list : []).map(
        ({ method, path, info }) => `${name}: ${method} ${path}: ${info}`,
      ),
    ),
  )
}

const slowForSeconds = 20
const connectionsEach = 350
/** Slow headers, slow bodies, overlapping ranges, answers that are read slowly. */
const slowAttacks: readonly (readonly [string, readonly string[]])[] = [
  ['/v1/client/orders', ['-H', '-i', '5']],
  ['/v1/client/checkout/create-order', ['-B', '-i', '5', '-s', '8192', '-t', 'POST']],
  ['/_emulator/docs', ['-R', '-a', '10', '-b', '3000']],
  ['/_emulator/openapi-control.json', ['-X', '-w', '10', '-y', '20', '-n', '5', '-z', '32', '-k', '3']],
]

test.skipIf(!isInstalled('slowhttptest'))('slowhttptest keeps nobody else from being served', async () => {
  const { emulator } = await startRemote([])
  const client = await emulator.addClient()
  const quiet = await latencies(() => client.fiatOrders('r1'), 2)
  const attacks = slowAttacks.map(([path, args]) =>
    run('slowhttptest', [
      ...[
        '-c',
        `${connectionsEach}`,
        '-r',
        '200',
        '-l',
        `${slowForSeconds}`,
        '-p',
        '3',
        '-u',
        `${emulator.url}${path}`,
      ],
      ...args,
    ]),
  )
  const beside = await latencies(() => client.fiatOrders('r1'), slowForSeconds)
  await Promise.all(attacks)
  report({
    area: 'scanners',
    promise: 'slowhttptest, in all its four ways at once, keeps nobody else from being served',
    test: 'test/hard/scanners.test.ts',
    figures: {
      'slow connections': connectionsEach * slowAttacks.length,
      'calls meanwhile': beside.length,
      'call p50 alone (ms)': rounded(percentile(quiet, 0.5)),
      'call p50 beside it (ms)': rounded(percentile(beside, 0.5)),
      'call p99 beside it (ms)': rounded(percentile(beside, 0.99)),
      'call max beside it (ms)': rounded(Math.max(...beside)),
    },
  })
  expect(percentile(beside, 0.99)).toBeLessThan(300)
  expect((await client.createCheckout('afterwards')).status).toBe(200)
})

const rounded = (ms: number) => Number(ms.toFixed(1))

/** How long calls take, one every 20 ms; each must be answered. */
async function latencies(call: () => Promise<{ status: number }>, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await pause(20)) {
    const begun = performance.now()
    expect((await call()).status).toBe(200)
    times.push(performance.now() - begun)
  }
  return times
}

/** Runs a program to its end, whatever it thinks of it. */
function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
}
