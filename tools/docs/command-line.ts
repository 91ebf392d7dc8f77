import type { Command } from 'commander'
import { keyTable } from '../../src/cli/keys/keys.ts'
import { programOf } from '../../src/cli/program.ts'
import { serveFlags, variableOf } from '../../src/cli/serve/flags.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { table } from './table.ts'

/** The commands are only looked at. */
const nowhere: Terminal = {
  env: {},
  interactive: false,
  colours: false,
  columns: null,
  keyboard: null,
  readInput: async () => null,
  ask: async () => null,
  out: () => {},
  err: () => {},
  overwrite: () => {},
}
const { commands } = programOf(nowhere, () => {})

const commandTable = (): string =>
  table(
    ['Command', 'Does'],
    commands.map((command) => [`[\`${called(command)}\`](#${command.name()})`, command.description()]),
  )

/** As help has it, but for the flags, which have a table. */
const called = (command: Command): string =>
  `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trim()

function flagTable(command: Command): string {
  const own = command.options.filter(
    ({ hidden, long }) => !hidden && !(takesServeFlags(command) && isOfServe(long)),
  )
  if (own.length === 0) return ''
  return table(
    ['Flag', 'Means'],
    own.map(({ flags, description, argChoices }) => [
      `\`${flags}\``,
      argChoices === undefined ? description : `${description} (${argChoices.join(', ')})`,
    ]),
  )
}

const takesServeFlags = (command: Command): boolean => ['exec', 'sweep'].includes(command.name())

const isOfServe = (long: string | undefined): boolean => serveFlags.some(({ name }) => long === `--${name}`)

const serveTable = (): string =>
  table(
    ['Flag', 'Variable', 'Means', 'Default'],
    serveFlags.map(({ name, argument, help, fallback, repeatable }) => [
      `\`--${[name, argument].filter(Boolean).join(' ')}\``,
      `\`${variableOf(name)}\``,
      repeatable ? `${help} (repeatable)` : help,
      fallback === undefined ? '' : `\`${fallback}\``.replace(/^`(pretty on .*)`$/, '$1'),
    ]),
  )

/** The description of a command, and its flags. */
function commandPart(command: Command): string {
  const flags = command.name() === 'serve' ? serveTable() : flagTable(command)
  const [first = '', ...rest] = command.description()
  return `${first.toUpperCase()}${rest.join('')}.\n${flags === '' ? '' : `\n${flags}`}`.replace(
    /([.?])\.\n/,
    '$1\n',
  )
}

const keys = (): string =>
  table(
    ['Key', 'Does'],
    keyTable.map(({ key, does }) => [`\`${key}\``, does]),
  )

/** The parts of the page: the commands in a table, each by its name with its flags, and the keys. */
export const commandLineParts = [
  { marker: 'commands', render: commandTable },
  { marker: 'keys', render: keys },
  ...commands.map((command) => ({ marker: command.name(), render: () => commandPart(command) })),
]
