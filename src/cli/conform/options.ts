import { existsSync } from 'node:fs'
import { allCases } from '../../conform/cases/all.ts'
import { readConfigFile } from '../../conform/config/config-file.ts'
import { configProblems } from '../../conform/config/config-schema.ts'
import type { CaseId, ConfigurationProblem, ConformConfig, Level } from '../../conform/index.ts'
import { plainLine } from '../../conform/report/lines.ts'
import { painter } from '../../conform/report/terminal-style.ts'
import { chosen } from '../../conform/run/chosen-cases.ts'
import { didYouMean } from '../../domain/text/issue-words.ts'
import type { SourceProblem, YamlSource } from '../../domain/text/yaml-source.ts'
import { codeFrame, problemLines } from '../check/check.ts'
import { type NamedFile, namedFiles } from '../check/named-files.ts'
import { CliError } from '../cli-error.ts'
import { type ControlAccess, controlAccess } from '../emulator-url.ts'
import { programCall, shellQuote } from '../program-call.ts'
import type { Environment, Terminal } from '../terminal.ts'
import { HiddenValues } from './hidden-values.ts'
import { type StoryChoice, storyChoice } from './story-flags.ts'

/** The configuration of a run, and the file it was read from. */
export interface ChosenConfig {
  readonly config: ConformConfig
  /** The configuration file; null without one. */
  readonly written: (NamedFile & { readonly source: YamlSource }) | null
  /** The secret values that reports hide. */
  readonly hidden: HiddenValues
}

/** Reads the configuration file, if there is one, and applies the flags over it.
 *  @throws CliError */
export function chosenConfig({ name, file, over }: RunFlags, terminal: Terminal): ChosenConfig {
  const client = terminal.env.EMULATOR_CLIENT_ID || undefined
  if (file === null) return { config: { client, ...over }, written: null, hidden: new HiddenValues([]) }
  if (!existsSync(file)) throw new CliError(2, missing(file, name, programCall(terminal.env)))
  const [only, ...others] = namedFiles([file], terminal)
  if (only === undefined || others.length > 0)
    throw new CliError(2, `error: ${JSON.stringify(file)} is a folder; name one file`)
  const read = readConfigFile(only.text, only.file, terminal.env)
  const hidden = new HiddenValues(read.used)
  if ('problems' in read) {
    const problems = read.problems.map((problem) => ({ ...problem, message: hidden.in(problem.message) }))
    throw new ConfigRefused(problems, problemLines([{ ...only, kind: 'conform', problems }], terminal))
  }
  return { config: { client, ...read.config, ...over }, written: { ...only, source: read.source }, hidden }
}

/** Thrown if the configuration file is wrong. */
export class ConfigRefused extends CliError {
  readonly problems: readonly SourceProblem[]

  constructor(problems: readonly SourceProblem[], message: string) {
    super(2, message)
    this.problems = problems
  }

  /** The problems as a report has them. */
  get reported(): ConfigurationProblem[] {
    return this.problems.map(({ file, line, column, message }) => ({
      member: `${file}:${line}:${column}`,
      message,
    }))
  }
}

function missing(file: string, name: CommandName, call: string): string {
  const error = `error: there is no file ${JSON.stringify(file)}
  ${call} conform --init                  writes a file to fill in`
  // Without a file, nothing says what the application has released, and `explore` could judge no story.
  if (name === 'explore') return error
  return `${error}
  ${call} conform --webhook-url <url>     runs the cases that need webhooks only`
}

/** Formats the problems of a configuration, with their places if it is a file.
 *  @param result what became of the run */
export function problemsText(
  problems: readonly ConfigurationProblem[],
  written: ChosenConfig['written'],
  { colours }: Terminal,
  result = 'No test case ran',
): string {
  const paint = painter(colours)
  const lines = problems.map(({ member, message }) => {
    if (written === null) return `${paint('bold', member)}: ${paint('red', plainLine(message))}`
    const { file, text, source } = written
    const problem = { file, ...source.locate(member.split('.')), message: `${member}: ${message}` }
    return codeFrame(problem, text, colours)
  })
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  return [...lines, `${result}: the configuration has ${count}.`].join('\n\n')
}

/** The commands that test an application. */
export type CommandName = 'conform' | 'explore'

/** The flags that all commands have which test an application. */
export interface RunFlags extends ControlAccess {
  readonly name: CommandName
  /** The path of the configuration file; null if only flags are used. */
  readonly file: string | null
  /** The value of `--url`; null without it. */
  readonly givenUrl: string | null
  /** The command that runs the application beside its own emulator; null if both already run. */
  readonly command: readonly string[] | null
  /** The configuration from flags, which overrides the file. */
  readonly over: ConformConfig
  readonly json: boolean
  readonly junit: string | null
  readonly html: string | null
}

/** The flags of `conform`. */
export interface ConformFlags extends RunFlags {
  readonly only: readonly CaseId[] | undefined
  readonly level: Level | undefined
  readonly seed: string | undefined
  /** Minimum percentage of observable cases; if undefined, at least one case. */
  readonly requireSeen: number | undefined
  /** The commit to compare with; null for a run of the present application only. */
  readonly prove: { readonly ref: string; readonly command: readonly string[] } | null
  /** The stories to play instead of the test cases; null to run those. */
  readonly stories: StoryChoice | null
  /** The file to which the result is appended as Markdown. */
  readonly summary: string | null
}

export type Flags = Readonly<Record<string, unknown>>

/** The default configuration file. */
export const usualFile = 'conform.yaml'

/** The configuration file, if given, and the command after `--`, if given. */
export interface RunWords {
  readonly named: string | undefined
  readonly command: readonly string[] | null
}

/** Reads the command line of `conform`.
 *  @throws CliError */
export function readConformFlags(words: RunWords, flags: Flags, env: Environment): ConformFlags {
  if (flags.force === true) throw new CliError(2, 'error: `--force` works only with `--init`')
  return {
    ...readRunFlags('conform', words, flags, env),
    ...choiceIn(flags),
    seed: textIn(flags.seed),
    requireSeen: percentIn(flags.requireSeen),
    prove: proveIn(flags, words.command),
    stories: storyChoice(flags),
    summary: textIn(flags.summary) ?? null,
  }
}

/** Reads the flags that all commands have which test an application.
 *  @throws CliError */
export function readRunFlags(
  name: CommandName,
  { named, command }: RunWords,
  flags: Flags,
  env: Environment,
): RunFlags {
  if (command?.length === 0)
    throw new CliError(2, 'error: no command after `--`; give one, like `-- npm start`')
  if (command !== null && flags.url !== undefined)
    throw new CliError(2, `error: with a command, \`${name}\` starts its own emulator; leave out \`--url\``)
  return {
    name,
    file: named ?? (flags.webhookUrl === undefined || existsSync(usualFile) ? usualFile : null),
    over: overIn(flags),
    command,
    givenUrl: textIn(flags.url) ?? null,
    json: flags.json === true,
    junit: textIn(flags.junit) ?? null,
    html: textIn(flags.html) ?? null,
    ...controlAccess(flags, env),
  }
}

/** The flags that override the configuration option of the same name. */
const overriding = ['client', 'webhookUrl', 'settle', 'patience', 'polling'] as const

/** The flag of an option: `--webhook-url` for `webhookUrl`. */
const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function overIn(flags: Flags): ConformConfig {
  const over: ConformConfig = Object.fromEntries(
    overriding.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]),
  )
  const [wrong] = configProblems(over)
  if (wrong !== undefined) throw new CliError(2, `error: ${flagOf(String(wrong.path[0]))}: ${wrong.message}`)
  return over
}

/** @throws CliError if no case is left, because such a run would always pass */
function choiceIn(flags: Flags): Pick<ConformFlags, 'only' | 'level'> {
  const level = flags.level === 'must' ? ('MUST' as const) : undefined
  const choice = { only: onlyIn(flags.only), level }
  try {
    chosen(choice)
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(2, `error: ${error.message}`)
    throw error
  }
  return choice
}

function onlyIn(flag: unknown): CaseId[] | undefined {
  if (!Array.isArray(flag)) return undefined
  const ids = allCases.map(({ id }) => id)
  return flag.map(String).map((text) => {
    const id = ids.find((known) => known === text.trim().toUpperCase())
    if (id !== undefined) return id
    const hint = didYouMean(text.toUpperCase(), ids)
    throw new CliError(
      2,
      `error: --only: unknown case ${JSON.stringify(text)}; expected ${ids[0]} to ${ids.at(-1)}${hint}`,
    )
  })
}

function percentIn(flag: unknown): number | undefined {
  const text = textIn(flag)
  if (text === undefined) return undefined
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN
  if (percent <= 100) return percent
  throw new CliError(
    2,
    `error: --require-seen: expected a percentage from 0 to 100, like 50, not ${JSON.stringify(text)}`,
  )
}

/** @throws CliError without a command, which has to start the application twice */
function proveIn(flags: Flags, command: readonly string[] | null): ConformFlags['prove'] {
  const ref = textIn(flags.prove)
  if (ref === undefined) return null
  if (command !== null) return { ref, command }
  throw new CliError(
    2,
    'error: `--prove` starts your application at an earlier commit and now: give its command after `--`, like `conform --prove main -- npm start`',
  )
}

export const textIn = (flag: unknown): string | undefined => (typeof flag === 'string' ? flag : undefined)

/** Builds the command that repeats cases of a run.
 *  @param call the command line of this program */
export function repeatCommand(call: string, ids: readonly CaseId[], seed: string, flags: RunFlags): string {
  return conformCall(call, ['--only', ids.join(','), '--seed', seed], flags)
}

/** Builds a `conform` command for the same application.
 *  @param call the command line of this program
 *  @param own what it runs: `--only K08` */
export function conformCall(
  call: string,
  own: readonly string[],
  { file, over, givenUrl, command }: RunFlags,
): string {
  const flags = overriding.flatMap((name) => {
    const value = over[name]
    return value === undefined ? [] : [flagOf(name), value]
  })
  const words = [
    ...['conform', ...(file === null ? [] : [file])],
    ...[...own, ...flags],
    ...(givenUrl === null ? [] : ['--url', givenUrl]),
    ...(command === null ? [] : ['--', ...command]),
  ]
  return [call, ...words.map(shellQuote)].join(' ')
}
