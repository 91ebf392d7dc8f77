import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyPage } from '../browser/support/every-page.ts'
import { isObject } from '../support/answer.ts'
import type { TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { report } from './support/figures.ts'
import { isInstalled, runToItsEnd } from './support/foreign-program.ts'
import { Document } from './support/fuzz/document.ts'
import { aFolder } from './support/load.ts'
import { startRemote } from './support/remote.ts'
import { isWhole, sized } from './support/size.ts'

/** All that look at what is there, rather than ask the internet what there might be. */
const wapitiModules = [
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock',
  'sql,ssrf,xss,xxe',
].join()

/** Findings of wapiti that we accept on purpose. */
const known = [
  // Loopback has no encryption. Behind a proxy with https, cookies have the flag.
  'Strict-Transport-Security is not set',
  'Secure flag is not set in the cookie',
  // Current browsers ignore this header.
  'X-XSS-Protection is not set',
  // A form needs no token: browsers say where it comes from, and what comes from elsewhere is refused.
  'Lack of anti CSRF token',
]
/** Seconds: of the search for pages, and of each module. */
const scan = sized({ whole: 30, part: 20 })
const attack = sized({ whole: 10, part: 4 })

test.skipIf(!isInstalled('wapiti'))('wapiti finds nothing worse than informational', async () => {
  const { emulator } = await startRemote(['--webhook-allow', '127.0.0.1'])
  const endpoint = await startReceiver()
  const folder = aFolder()
  const urls = [...(await readable(emulator)), ...(await pages(emulator))]
  const output = join(folder, 'report.json')
  await runToItsEnd(
    'wapiti',
    [
      // All that it looks at is given, so it follows no links.
      ...['-u', `${emulator.url}/_emulator/`, ...urls.flatMap((url) => ['-s', url])],
      ...['--scope', 'domain', '--depth', '0'],
      ...['-m', wapitiModules, '-H', 'access-token: demo-token'],
      ...['--max-scan-time', String(scan), '--max-attack-time', String(attack)],
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
    test: 'test/hard/wapiti.test.ts',
    figures: {
      'URLs scanned': urls.length + 1,
      modules: wapitiModules.split(',').length,
      'findings (informational)': found.length - worse.length,
      'findings (worse)': worse.length,
    },
  })
  expect(worse).toEqual([])
  const foreign = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
  const form = { method: 'POST', headers: foreign, body: 'shown=true' }
  expect((await emulator.send('/_emulator/ui/commands', form)).status).toBe(403)
  expect((await emulator.addClient().then((client) => client.createCheckout('r1'))).status).toBe(200)
})

/** Data with a value in every parameter. */
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

/** The pages with their forms; the reference, which takes wapiti minutes to read, only at the whole size. */
async function pages(emulator: TestEmulator): Promise<string[]> {
  const found = await everyPage(emulator, () => 1)
  return found
    .filter(({ kind }) => isWhole || kind !== '/_emulator/docs')
    .map(({ path }) => `${emulator.url}${path}`)
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
