import type { Argument, Command, Option } from 'commander'
import { orderKinds } from '../../domain/order/order.ts'
import { logFormats } from '../serve/options.ts'

/** What can stand in a place of the command line. */
export type Values =
  | { readonly type: 'words'; readonly words: readonly string[]; readonly files?: boolean }
  | { readonly type: 'files' }
  /** A command of the system, with arguments of its own. */
  | { readonly type: 'command' }
  /** Anything, so nothing can be proposed. */
  | { readonly type: 'open' }

/** A flag as a shell completes it. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string
  readonly description: string
  readonly repeatable: boolean
  /** Null for a switch. */
  readonly value: Values | null
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string
  readonly description: string
  readonly flags: readonly CompletedFlag[]
  /** Null if it takes no arguments. */
  readonly argument: Values | null
}

/** All that a shell has to know. */
export interface CompletedProgram {
  readonly name: string
  readonly commands: readonly CompletedCommand[]
  /** Flags that stand where a command would. */
  readonly flags: readonly CompletedFlag[]
  /** The command that is meant where none is named. */
  readonly standard: CompletedCommand
}

/** What ships and can be named. */
export interface ShippedNames {
  readonly scenarios: readonly string[]
  readonly fixtures: readonly string[]
  /** Of `conform`. */
  readonly cases: readonly string[]
  /** Of `sweep`. */
  readonly behaviours: readonly string[]
}

/** Reads off a program what can be completed. */
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
    // The standard command has --help as well.
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

/** `--log <format>` has the placeholder `format`. */
const placeholderIn = (flags: string): string | null => /[<[]([^\]>]+)[\]>]/.exec(flags)?.[1] ?? null

/** Placeholders of closed sets, and of things that a shell knows. */
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
