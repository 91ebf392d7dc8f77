import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf, type Tool } from './tool.ts'

const name = '@mockoon/cli'

/** Checks nothing, stores the body in memory under a new id. */
export const mockoon: Tool = {
  goal: 'create beside Mockoon, CRUD',
  package: name,
  create: { sends: 'order', path: '/orders' },
  start({ processes }, folder) {
    const file = join(folder, 'mockoon.json')
    writeFileSync(file, JSON.stringify(environment))
    return processes.serve((port) => [
      ...[...commandOf(name), 'start', '--data', file, '--hostname', '127.0.0.1', '--port', port],
      ...['--repair', '--disable-log-to-file', '--disable-admin-api'],
    ])
  },
}

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const list = { uuid: uuid(1), id: 'list', name: 'orders', value: '[]' }
const answer = {
  uuid: uuid(2),
  default: true,
  statusCode: 200,
  bodyType: 'DATABUCKET',
  databucketID: list.id,
  crudKey: 'id',
  disableTemplating: true,
}
const route = { uuid: uuid(3), type: 'crud', endpoint: 'orders', responses: [answer] }

/** Mockoon's file for one CRUD route over one list. It adds what is missing (`--repair`). */
const environment = {
  uuid: uuid(4),
  lastMigration: 33,
  name: 'orders',
  routes: [route],
  rootChildren: [{ type: 'route', uuid: route.uuid }],
  headers: [{ key: 'Content-Type', value: 'application/json' }],
  data: [list],
}
