import { create, lookup } from '../load/requests.ts'
import { commandOf } from './packages.ts'
import type { Peer } from './peer.ts'

const name = '@stoplight/prism-cli'

/** Reads the document that the emulator gives of the service, so the calls are the same. */
export const prism: Peer = {
  name: 'Prism',
  package: name,
  work: 'the fields and the headers, against our OpenAPI document; answers its example, keeps nothing',
  keepsOrders: false,
  create,
  lookup,
  aims: { creates: 4 },
  prepare:
    ({ processes }, { openApi }) =>
    () =>
      processes.serve((port) => [
        ...[...commandOf(name), 'mock', '--host', '127.0.0.1', '--port', port],
        ...['--verboseLevel', 'silent', openApi],
      ]),
}
