import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isObject } from '../support/answer.ts'
import type { TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { report } from './support/figures.ts'
import { isInstalled, runToItsEnd } from './support/foreign-program.ts'
import { Document } from './support/fuzz/document.ts'
import { aFolder } from './support/load.ts'
import { startRemote } from './support/remote.ts'

/** All that look at what is there, rather than ask the internet what there might be. */
const wapitiModules = [
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock',
  'sql,ssrf,xss,xxe',
].join()

/** Findings of wapiti that we accept on purpose: loopback has no encryption, and current browsers ignore the other
 *  header. */
const known = ['Strict-Transport-Security is not set', 'X-XSS-Protection is not set']

test.skipIf(!isInstalled('wapiti'))('wapiti finds nothing worse than informational', async () => {
  const { emulator } = await startRemote(['--webhook-allow', '127.0.0.1'])
  const endpoint = await startReceiver()
  const folder = aFolder()
  const urls = await readable(emulator)
  const output = join(folder, 'report.json')
  await runToItsEnd(
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
    test: 'test/hard/wapiti.test.ts',
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
