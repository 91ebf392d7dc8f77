import { create } from '../load/requests.ts'
import { commandOf, type Tool } from './tool.ts'

const name = '@stoplight/prism-cli'

/** Checks fields and headers by the emulator's OpenAPI document and answers its example. */
export const prism: Tool = {
  goal: 'create beside Prism',
  package: name,
  create,
  start: ({ processes }, _, { openApi }) =>
    processes.serve((port) => [
      ...[...commandOf(name), 'mock', '--host', '127.0.0.1', '--port', port],
      ...['--verboseLevel', 'silent', openApi],
    ]),
}
