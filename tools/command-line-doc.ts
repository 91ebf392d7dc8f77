import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { programOf } from '../src/cli/program.ts'
import { serveFlags, variableOf } from '../src/cli/serve/flags.ts'
import type { Terminal } from '../src/cli/terminal.ts'

const target = new URL('../docs/command-line.md', import.meta.url)

/** `docs/command-line.md` as it is, with the tables of commands and flags as they should be. */
export function commandLinePage(): string {
  const { commands } = programOf(nowhere, () => {})
  return [
    ['commands', commandTable(commands)] as const,
    ['serve', serveTable()] as const,
    ...commands
      .filter((command) => command.name() !== 'serve')
      .map((command) => [command.name(), flagTable(command)] as const),
  ].reduce((page, [name, text]) => withPart(page, name, text), readFileSync(target, 'utf8'))
}

function withPart(page: string, name: string, text: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!marks.test(page)) throw new Error(`docs/command-line.md has lost the marks of ${name}`)
  return page.replace(marks, (_, begin: string, end: string) => `${begin}${text}${end}`)
}

const commandTable = (commands: readonly Command[]): string =>
  table(
    ['Command', 'Does'],
    commands.map((command) => [`[\`${called(command)}\`](#${command.name()})`, command.description()]),
  )

/** As help has it, but for the flags, which have a table. */
const called = (command: Command): string =>
  `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trim()

function flagTable(command: Command): string {
  const own = command.name() === 'exec' ? [] : command.options.filter(({ hidden }) => !hidden)
  if (own.length === 0) return ''
  return table(
    ['Flag', 'Means'],
    own.map(({ flags, description, argChoices }) => [
      `\`${flags}\``,
      argChoices === undefined ? description : `${description} (${argChoices.join(', ')})`,
    ]),
  )
}

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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return `${line(head)}|${'---|'.repeat(head.length)}\n${rows.map(line).join('')}`
}

/** The commands are only looked at. */
const nowhere: Terminal = {
  env: {},
  interactive: false,
  colours: false,
  columns: null,
  keyboard: null,
  readInput: async () => null,
  out: () => {},
  err: () => {},
  overwrite: () => {},
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, commandLinePage())
