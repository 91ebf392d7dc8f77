import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, lookup } from '../load/requests.ts'
import type { Materials } from './materials.ts'
import { fileOf } from './packages.ts'
import type { Peer } from './peer.ts'

const name = 'wiremock'

/** A stub that looks at method and path alone. */
export const wiremock: Peer = {
  ...stubs(() => []),
  name: 'WireMock, constant answer',
  work: 'nothing is checked; a constant answer; requests recorded',
  aims: { creates: 0.45, memory: 20 },
}

/** A stub that answers if the body fits the JSON Schema of our document. */
export const wiremockSchema: Peer = {
  ...stubs(({ bodySchema }) => [{ matchesJsonSchema: JSON.stringify(bodySchema), schemaVersion: 'V202012' }]),
  name: 'WireMock, JSON Schema',
  work: 'the fields, against the JSON Schema in our OpenAPI document; a constant answer; requests recorded',
}

function stubs(bodyPatternsIn: (materials: Materials) => readonly object[]) {
  return {
    package: name,
    keepsOrders: false,
    create,
    lookup,
    missing: () =>
      spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0
        ? null
        : 'Java 11 or later (on Debian: apt-get install default-jre-headless)',
    prepare({ folder, processes }, materials) {
      mkdirSync(join(folder, 'mappings'))
      const bodyPatterns = bodyPatternsIn(materials)
      const mappings = [
        mapping({ method: 'POST', urlPath: create.path, bodyPatterns }, materials.answers.create),
        mapping({ method: 'GET', urlPath: lookup.path.split('?')[0] }, materials.answers.lookup),
      ]
      writeFileSync(join(folder, 'mappings', 'orders.json'), JSON.stringify({ mappings }))
      return () =>
        processes.serve((port) => [
          ...['java', '-jar', jar(), '--port', port, '--bind-address', '127.0.0.1'],
          ...['--root-dir', folder, '--disable-banner', '--use-chunked-encoding', 'never'],
        ])
    },
  } satisfies Partial<Peer>
}

function mapping(request: object, jsonBody: unknown): object {
  return { request, response: { status: 200, headers: { 'content-type': 'application/json' }, jsonBody } }
}

/** Its package holds the program of the same version. */
function jar(): string {
  const file = readdirSync(fileOf(name, 'build')).find((entry) => entry.endsWith('.jar'))
  if (file === undefined) throw new Error('the package wiremock holds no jar')
  return fileOf(name, join('build', file))
}
