import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { callOf, create, lookup, type RequestShape } from '../load/requests.ts'
import type { Materials } from './materials.ts'
import { commandOf } from './packages.ts'
import type { Peer } from './peer.ts'

const name = 'mountebank'

/** An imposter that looks at the token, the signature and the fields as closely as predicates can. */
export const mountebank: Peer = {
  ...withStubs(predicatesOf),
  name: 'mountebank, predicates',
  work: 'the token, whether signature and fields are there, four of them by patterns; a constant answer',
  aims: { creates: 2.4 },
}

/** An imposter that looks at method, path and token alone. */
export const mountebankConstant: Peer = {
  ...withStubs(() => []),
  name: 'mountebank, constant answer',
  work: 'the token; a constant answer',
}

/** @param predicatesIn what a create call has to fulfil */
function withStubs(predicatesIn: (materials: Materials) => readonly object[]) {
  return {
    package: name,
    keepsOrders: false,
    create,
    lookup,
    prepare({ folder, processes }, materials) {
      const stubs = [
        stub(create, materials.answers.create, predicatesIn(materials)),
        stub(lookup, materials.answers.lookup, []),
      ]
      const file = join(folder, 'imposters.json')
      return async () => {
        // Its own API has a port besides the imposter's.
        const ownPort = String(await freePort())
        return processes.serve((port) => {
          writeFileSync(file, JSON.stringify({ imposters: [imposterOn(Number(port), stubs)] }))
          return [
            ...[...commandOf(name), '--port', ownPort, '--localOnly', '--configfile', file, '--noParse'],
            ...['--nologfile', '--loglevel', 'error', '--pidfile', join(folder, 'mb.pid')],
          ]
        })
      }
    },
  } satisfies Partial<Peer>
}

/** What fits no stub is refused. */
const imposterOn = (port: number, stubs: readonly object[]): object => ({
  protocol: 'http',
  port,
  defaultResponse: { statusCode: 400 },
  stubs,
})

function stub(shape: RequestShape, answer: unknown, more: readonly object[]): object {
  const { method, path, headers: sent } = callOf(shape, 0)
  const token = { 'access-token': sent['access-token'] }
  const known = { method, path: path.split('?')[0], headers: token }
  // Without this header it closes the connection after each answer.
  const headers = { 'content-type': 'application/json', connection: 'keep-alive' }
  return {
    predicates: [{ equals: known }, ...more],
    responses: [{ is: { statusCode: 200, headers, body: JSON.stringify(answer) } }],
  }
}

/** That all fields are there, and that those with a pattern in our document keep to it. */
function predicatesOf({ bodySchema }: Materials): object[] {
  const fields = Object.entries(bodySchema.properties)
  const there = Object.fromEntries(fields.map(([field]) => [field, true]))
  const patterns = fields.flatMap(([field, { pattern }]) =>
    pattern === undefined ? [] : [[field, withoutClasses(pattern)]],
  )
  return [
    { exists: { headers: { signature: true }, body: there } },
    { matches: { body: Object.fromEntries(patterns) } },
  ]
}

/** Its regular expressions know no classes of Unicode: there `\p{Cc}` would be some letters and braces. */
const withoutClasses = (pattern: string): string => pattern.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f')
