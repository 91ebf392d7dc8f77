import type { Argument, Command, Option } from 'commander'
import { testKinds } from '../../domain/keep/tests/kept-test.ts'
import { orderKinds } from '../../domain/order/order.ts'
import { logFormats } from '../serve/options.ts'

/** The possible values of an argument, for completion. */
export type Values =
  | { readonly type: 'words'; readonly words: readonly string[]; readonly files?: boolean }
  | { readonly type: 'files' }
  /** A command of the operating system, with its own arguments. */
  | { readonly type: 'command' }
  /** Any text, for which the shell proposes nothing. */
  | { readonly type: 'open' }

/** A flag, as shell completion needs it. */
export interface CompletedFlag {
  /** The name of the flag, with its dashes. */
  readonly name: string
  readonly description: string
  readonly repeatable: boolean
  /** The values of the flag; null for a switch. */
  readonly value: Values | null
}

/** A command, as shell completion needs it. */
export interface CompletedCommand {
  readonly name: string
  readonly description: string
  readonly flags: readonly CompletedFlag[]
  /** The values of the command's argument; null without an argument. */
  readonly argument: Values | null
}

/** The commands and flags of the program, for completion. */
export interface CompletedProgram {
  readonly name: string
  readonly commands: readonly CompletedCommand[]
  /** The flags that the program itself has. */
  readonly flags: readonly CompletedFlag[]
  /** The command that runs if none is named. */
  readonly standard: CompletedCommand
}

/** Names of built-in scenarios, cases and behaviours. */
export interface ShippedNames {
  readonly scenarios: readonly string[]
  readonly fixtures: readonly string[]
  /** The ids of test cases, which `conform` accepts. */
  readonly cases: readonly string[]
  /** The names of behaviours, which `sweep` accepts. */
  readonly behaviours: readonly string[]
}

/** Reads commands and flags from the commander program. */
export function completedProgram(program: Command, shipped: ShippedNames): CompletedProgram {
  const names = program.commands.map((command) => command.name())
  const commands = program.commands.map((command) => completedCommand(command, shipped))
  const help: CompletedCommand = {
    name: 'help',
    description: 'print the help of a command',
    flags: [],
    argument: { type: 'words', words: names },
  }
  const [standard] = commands
  if (standard === undefined) throw new Error('the program has no commands')
  return {
    name: program.name(),
    commands: [...commands, help],
    // The program and its default command both have --help.
    flags: flagsOf(program, shipped).filter(({ name }) => name !== '--help'),
    standard,
  }
}

function completedCommand(command: Command, shipped: ShippedNames): CompletedCommand {
  const [argument] = command.registeredArguments
  return {
    name: command.name(),
    description: command.description(),
    flags: flagsOf(command, shipped),
    argument: argument === undefined ? null : valuesOf(argument.name(), argument, shipped),
  }
}

const flagsOf = (command: Command, shipped: ShippedNames): CompletedFlag[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map((option) => completedFlag(option, shipped))

function completedFlag(option: Option, shipped: ShippedNames): CompletedFlag {
  const placeholder = placeholderIn(option.flags)
  return {
    name: option.long ?? option.flags,
    description: option.description,
    repeatable: option.parseArg !== undefined && option.argChoices === undefined,
    value: placeholder === null ? null : valuesOf(placeholder, option, shipped),
  }
}

/** The placeholder of a flag: `format` for `--log <format>`. */
const placeholderIn = (flags: string): string | null => /[<[]([^\]>]+)[\]>]/.exec(flags)?.[1] ?? null

/** The values of placeholders that are completed. */
const known: Readonly<Record<string, Values>> = {
  file: { type: 'files' },
  files: { type: 'files' },
  folder: { type: 'files' },
  path: { type: 'files' },
  body: { type: 'files' },
  command: { type: 'command' },
  format: { type: 'words', words: logFormats },
  mode: { type: 'words', words: ['real', 'manual'] },
  kind: { type: 'words', words: orderKinds },
  runner: { type: 'words', words: testKinds },
}

function valuesOf(
  placeholder: string,
  { argChoices }: Pick<Option | Argument, 'argChoices'>,
  { scenarios, fixtures, cases, behaviours }: ShippedNames,
): Values {
  if (argChoices !== undefined) return { type: 'words', words: argChoices }
  if (placeholder === 'scenario') return { type: 'words', words: scenarios, files: true }
  if (placeholder === 'case,...') return { type: 'words', words: cases }
  if (placeholder.startsWith('behaviour')) return { type: 'words', words: behaviours }
  if (placeholder === 'fixture') return { type: 'words', words: fixtures, files: true }
  return known[placeholder] ?? { type: 'open' }
}
