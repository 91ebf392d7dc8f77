import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.ts'
import { callOf, create } from '../load/requests.ts'
import type { Materials } from './materials.ts'
import { commandOf, type Tool } from './tool.ts'

const name = 'mountebank'

/** Checks the token, that signature and fields are there, and four of them by patterns; gives a constant answer. */
export const mountebank: Tool = {
  goal: 'create beside mountebank',
  package: name,
  create,
  async start({ processes }, folder, materials) {
    const file = join(folder, 'imposters.json')
    // Its own API has a port besides the imposter's.
    const ownPort = String(await freePort())
    return processes.serve((port) => {
      writeFileSync(file, JSON.stringify({ imposters: [imposterOn(Number(port), materials)] }))
      return [
        ...[...commandOf(name), '--port', ownPort, '--localOnly', '--configfile', file, '--noParse'],
        ...['--nologfile', '--loglevel', 'error', '--pidfile', join(folder, 'mb.pid')],
      ]
    })
  },
}

/** Refuses what does not match. */
function imposterOn(port: number, { answer, fields }: Materials): object {
  const { method, path, headers } = callOf(create, 0)
  const token = { 'access-token': headers['access-token'] }
  const all = Object.entries(fields)
  const patterns = all.flatMap(([field, { pattern }]) =>
    pattern === undefined ? [] : [[field, withoutClasses(pattern)]],
  )
  const stub = {
    predicates: [
      { equals: { method, path, headers: token } },
      {
        exists: {
          headers: { signature: true },
          body: Object.fromEntries(all.map(([field]) => [field, true])),
        },
      },
      { matches: { body: Object.fromEntries(patterns) } },
    ],
    // Without `connection` it closes the connection after each answer.
    responses: [
      {
        is: {
          ...{ statusCode: 200, body: answer },
          headers: { 'content-type': 'application/json', connection: 'keep-alive' },
        },
      },
    ],
  }
  return { protocol: 'http', port, defaultResponse: { statusCode: 400 }, stubs: [stub] }
}

/** Its regular expressions know no classes of Unicode: there `\p{Cc}` would be some letters and braces. */
const withoutClasses = (pattern: string): string => pattern.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f')
