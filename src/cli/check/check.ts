import { basename, dirname, extname } from 'node:path'
import { readConfigFile } from '../../conform/config/config-file.ts'
import { conformText } from '../../conform/config/config-schema.ts'
import { painter } from '../../conform/report/terminal-style.ts'
import { storyFields } from '../../conform/stories/parse-story.ts'
import { readStoryFile } from '../../conform/stories/read-story-file.ts'
import { readSettingsFile } from '../../domain/choices/read-settings.ts'
import { settingNames } from '../../domain/choices/settings.ts'
import { readFixtureFile } from '../../domain/fixture/fixture-file.ts'
import { fixtureText } from '../../domain/fixture/fixture-text.ts'
import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import { scenarioText } from '../../domain/scenario/scenario-text.ts'
import { nearest, oneLine } from '../../domain/text/issue-words.ts'
import type { FixtureLimit } from '../../domain/text/limits.ts'
import { readYaml, type SourceProblem } from '../../domain/text/yaml-source.ts'
import { repeatedIds } from '../../lifecycle/scenarios/built-in.ts'
import { yamlFilesAt } from '../../lifecycle/scenarios/yaml-files.ts'
import type { Terminal } from '../terminal.ts'
import { type NamedFile, namedFiles } from './named-files.ts'

/** The maximum number of characters that are shown of a line in a file. */
const width = 100

/** Formats a problem: its place, its message, and the line with a caret under the column.
 *  @param text of the file that has the problem */
export function codeFrame(
  { file, line, column, message }: SourceProblem,
  text: string,
  colours: boolean,
): string {
  const paint = painter(colours)
  const head = `${paint('bold', `${oneLine(file, 300)}:${line}:${column}`)}: ${paint('red', oneLine(message, Infinity))}`
  const source = text.split(/\r?\n/)[line - 1] ?? ''
  if (source.trim() === '') return head
  // A column far to the right: cut the beginning of the line.
  const from = column > width - 20 ? column - 40 : 0
  const part = printable(source.slice(from, from + width))
  const gutter = `  ${line} | `
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(Math.max(0, column - 1 - from))}^`
  return `${head}\n${paint('dim', gutter)}${part}\n${paint('dim', caret.slice(0, -1))}${paint('red', '^')}`
}

/** Replaces wide and invisible characters by one column each, so that the caret is in the right place. */
const printable = (source: string): string => source.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')

/** A kind of file that users write for the emulator. */
interface FileKind {
  readonly name: 'scenario' | 'fixture' | 'settings' | 'conform' | 'story'
  /** The keys at the top level of a file of this kind. */
  readonly keys: readonly string[]
  /** The name of the folder or file, used if the keys fit several kinds. */
  readonly called: RegExp
  /** Finds all problems in a file of this kind. */
  readonly problems: (text: string, file: string, limit?: FixtureLimit) => readonly SourceProblem[]
}

/** The kinds of files that `check` knows. If several fit equally well, the first is taken. */
const kinds: readonly FileKind[] = [
  {
    name: 'scenario',
    // A scenario may contain settings, but a settings file has no group of that name.
    keys: Object.keys(scenarioText.shape),
    called: /scenario/i,
    problems: (text, file, limit) =>
      problemsIn(readScenarioFile(text, file, basename(file, extname(file)), limit)),
  },
  {
    name: 'fixture',
    keys: Object.keys(fixtureText.shape),
    called: /fixture/i,
    problems: (text, file, limit) => problemsIn(readFixtureFile(text, file, {}, limit)),
  },
  {
    name: 'settings',
    keys: [...new Set(settingNames.flatMap((name) => [name, name.split('.')[0] ?? name])), 'learned'],
    called: /setting/i,
    problems: (text, file) => problemsIn(readSettingsFile(text, file)),
  },
  {
    name: 'conform',
    keys: Object.keys(conformText.shape),
    called: /conform/i,
    problems: (text, file) => problemsIn(readConfigFile(text, file, null)),
  },
  {
    name: 'story',
    keys: storyFields,
    called: /found|stor(y|ies)/i,
    problems: (text, file) => problemsIn(readStoryFile(text, file)),
  },
]

/** Checks a file, and returns its problems and the kind it was checked as. */
function judge(
  text: string,
  file: string,
  limit?: FixtureLimit,
): { kind: FileKind['name']; problems: readonly SourceProblem[] } {
  const kind = kindOf(text, file)
  return { kind: kind.name, problems: kind.problems(text, file, limit) }
}

const allKeys = kinds.flatMap(({ keys }) => keys)

/** The kind whose keys the file uses most, misspelt keys included; otherwise the kind that its name or folder
 *  suggests. */
function kindOf(text: string, file: string): FileKind {
  const { value } = readYaml(text, file)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const meant = keys.map((key) => nearest(key, allKeys) ?? key)
  const used = (kind: FileKind) => meant.filter((key) => kind.keys.includes(key)).length
  const most = Math.max(...kinds.map(used))
  const fitting = kinds.filter((kind) => used(kind) === most)
  const name = `${basename(dirname(file))}/${basename(file)}`
  const [first] = [...fitting.filter(({ called }) => called.test(name)), ...fitting]
  if (first === undefined) throw new Error('there is no kind of file')
  return first
}

const problemsIn = (result: object & { problems?: readonly SourceProblem[] }) => result.problems ?? []

/** A file with the result of `check`. */
export interface CheckedFile extends NamedFile {
  readonly kind: string
  readonly problems: readonly SourceProblem[]
}

/** Runs `check`: reports all problems in all files.
 *  @throws CliError */
export async function check(
  paths: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const files = checkFiles(paths, terminal)
  const wrong = files.filter(({ problems }) => problems.length > 0)
  if (flags.json === true) terminal.out(asJson(files))
  else if (wrong.length > 0) terminal.out(problemLines(wrong, terminal))
  else terminal.out(`${counted(files)}: no problems`)
  return wrong.length === 0 ? 0 : 1
}

/** Checks files, and all YAML files in folders.
 *  @param limit maximum size and depth of a file; default: the limits of files
 *  @throws CliError */
export function checkFiles(
  paths: readonly string[],
  terminal: Terminal,
  limit?: FixtureLimit,
): CheckedFile[] {
  const files = namedFiles(paths, terminal).map(({ file, text }) => ({
    file,
    text,
    ...judge(text, file, limit),
  }))
  const scenarios = new Set(files.filter(({ kind }) => kind === 'scenario').map(({ file }) => file))
  const repeated = paths.flatMap((path) =>
    repeatedIds(yamlFilesAt(path).files.filter((file) => scenarios.has(file))),
  )
  return files.map((file) => ({
    ...file,
    problems: [...file.problems, ...repeated.filter((problem) => problem.file === file.file)],
  }))
}

/** Formats the problems with their places, and a last line with their number. */
export function problemLines(wrong: readonly CheckedFile[], { colours }: Terminal): string {
  const frames = wrong.flatMap(({ problems, text }) =>
    problems.map((problem) => codeFrame(problem, text, colours)),
  )
  return [...frames, `${plural(frames.length, 'problem')} in ${plural(wrong.length, 'file')}`].join('\n\n')
}

function asJson(files: readonly CheckedFile[]): string {
  const ok = files.every(({ problems }) => problems.length === 0)
  const results = files.map(({ file, kind, problems }) => ({
    file,
    kind,
    problems: problems.map(({ line, column, message }) => ({ line, column, message })),
  }))
  return JSON.stringify({ ok, files: results })
}

/** Counts the files by kind: `2 scenario files and 1 settings file`. */
function counted(files: readonly CheckedFile[]): string {
  const kinds = [...new Set(files.map(({ kind }) => kind))]
  return kinds
    .map((kind) => plural(files.filter((file) => file.kind === kind).length, `${kind} file`))
    .join(', ')
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
