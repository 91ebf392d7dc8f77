import { readFileSync, statSync } from 'node:fs'
import { type Config, readConfig } from '../../app/config.ts'
import { readSettingsFile } from '../../domain/choices/read-settings.ts'
import { didYouMean, shown } from '../../domain/text/issue-words.ts'
import { fileText, tooLarge } from '../../domain/text/limits.ts'
import type { Problem } from '../../domain/text/problems.ts'
import { formatProblem } from '../../domain/text/yaml-source.ts'
import { CliError } from '../cli-error.ts'
import { isServiceLink } from '../emulator-url.ts'
import type { Environment } from '../terminal.ts'
import { memberOf, type ServeFlag, serveFlags, variableOf } from './flags.ts'

/** Adds the settings of the `--settings` file to the configuration.
 *  @throws CliError */
export const withSettings = ({ config, settingsFile }: ServeOptions): Config =>
  settingsFile === undefined ? config : { ...config, ...loadSettings(settingsFile) }

/** Reads the `--settings` file.
 *  @throws CliError with a line `file:line:column: ...` per problem */
export function loadSettings(file: string): Pick<Config, 'settings' | 'learned'> {
  const reading = readSettingsFile(textOf(file), file)
  if ('problems' in reading) throw new CliError(2, reading.problems.map(formatProblem).join('\n'))
  return { settings: reading.overlay, learned: reading.learned ?? null }
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > fileText.bytes) throw new Error(`it ${tooLarge(fileText)}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(2, `error: cannot read the settings file ${JSON.stringify(file)}: ${reasonOf(error)}`)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : ''
  return code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : error.message
}

/** Values of `--log`. */
export const logFormats = ['pretty', 'json', 'silent'] as const

export type LogFormat = (typeof logFormats)[number]

/** The options of `serve`. */
export interface ServeOptions {
  /** The configuration without the settings of `settingsFile`. */
  readonly config: Config
  readonly settingsFile: string | undefined
  /** The log format; undefined if it depends on the terminal. */
  readonly log: LogFormat | undefined
}

/** Reads the flags of `serve` and their environment variables. A flag overrides its variable; an empty variable is
 *  ignored.
 *  @param flags as commander has them
 *  @throws CliError with one line that names each wrong flag or variable and the expected value */
export function readServeOptions(flags: Readonly<Record<string, unknown>>, env: Environment): ServeOptions {
  const given = serveFlags.flatMap((flag) => givenOf(flag, flags, env))
  const problems = given.flatMap(misuse)
  const input = Object.fromEntries(
    given.flatMap(({ flag, value }) => (flag.config === undefined ? [] : [[flag.config, value]])),
  )
  const checked = readConfig(input)
  if (!checked.ok) problems.push(...checked.problems.map((problem) => inWords(problem, given)))
  if (!checked.ok || problems.length > 0) throw new CliError(2, `error: ${problems.join('; ')}`)
  const text = (name: string) => given.find(({ flag }) => flag.name === name)?.value
  return {
    config: checked.value,
    settingsFile: given.some(({ flag }) => flag.name === 'settings') ? String(text('settings')) : undefined,
    log: logFormats.find((format) => format === text('log')),
  }
}

interface Given {
  readonly flag: ServeFlag
  /** The flag or the environment variable, as the user wrote it. */
  readonly source: string
  readonly value: unknown
}

function givenOf(flag: ServeFlag, flags: Readonly<Record<string, unknown>>, env: Environment): Given[] {
  const value = flags[memberOf(flag.name)]
  if (value !== undefined) return [{ flag, source: `--${flag.name}`, value: typed(flag, value) }]
  const text = env[variableOf(flag.name)]
  if (text === undefined || text === '' || (flag.name === 'port' && isServiceLink(text))) return []
  const listed = flag.repeatable ? text.split(',').map((part) => part.trim()) : text
  return [{ flag, source: variableOf(flag.name), value: typed(flag, listed) }]
}

/** Converts a text to the type of its option. An invalid text stays as it is, and the check refuses it. */
function typed(flag: ServeFlag, value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((part) => part !== '')
  if (typeof value !== 'string') return value
  if (flag.config === 'port') return /^\d{1,9}$/.test(value) ? Number(value) : value
  if (flag.argument !== undefined) return value
  return { '1': true, true: true, '0': false, false: false }[value.toLowerCase()] ?? value
}

/** Problems that the schema of the configuration cannot find. */
function misuse({ flag, source, value }: Given): string[] {
  if (flag.name === 'settings' && value === '') return [`${source}: expected a file`]
  if (flag.name !== 'log' || logFormats.some((format) => format === value)) return []
  const hint = didYouMean(String(value), logFormats)
  return [`${source}: expected pretty, json or silent, not ${shown(value)}${hint}`]
}

function inWords({ path: [member, index], message }: Problem, given: readonly Given[]): string {
  const culprit = given.find(({ flag }) => flag.config === member)
  if (culprit === undefined) return message
  const { flag, source, value } = culprit
  const words = flag.argument === undefined ? 'expected 1, true, 0 or false' : (flag.expected ?? message)
  const part = Array.isArray(value) && typeof index === 'number' ? value[index] : value
  const quoted = flag.secret || words.includes(', not ') ? '' : `, not ${shown(part)}`
  return `${source}: ${words}${quoted}`
}
