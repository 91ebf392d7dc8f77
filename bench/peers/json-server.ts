import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, type Tool } from './tool.ts'

const name = 'json-server'

/** Checks nothing, stores the body in memory and in a JSON file that it writes as a whole each time. */
export const jsonServer: Tool = {
  goal: 'create beside json-server',
  package: name,
  create: { sends: 'order', path: '/orders' },
  start({ processes }, folder) {
    const file = join(folder, 'db.json')
    writeFileSync(file, '{"orders":[]}')
    return processes.serve((port) => [
      ...[...commandOf(name), '--quiet', '--host', '127.0.0.1', '--port', port],
      ...['--snapshots', folder, file],
    ])
  },
}
