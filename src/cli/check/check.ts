import type { FixtureLimit } from '../../domain/text-limits.ts'
import type { SourceProblem } from '../../domain/yaml-source.ts'
import { repeatedIds } from '../../lifecycle/scenario-files.ts'
import { yamlFilesAt } from '../../lifecycle/yaml-files.ts'
import type { Terminal } from '../terminal.ts'
import { codeFrame } from './code-frame.ts'
import { judge } from './file-kinds.ts'
import { type NamedFile, namedFiles } from './named-files.ts'

/** A file that was checked. */
export interface CheckedFile extends NamedFile {
  readonly kind: string
  readonly problems: readonly SourceProblem[]
}

/** `check`: tells everything that is wrong in all of the files. @throws GiveUp */
export async function check(
  paths: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const files = checkFiles(paths, terminal)
  const wrong = files.filter(({ problems }) => problems.length > 0)
  if (flags.json === true) terminal.out(asJson(files))
  else if (wrong.length > 0) terminal.out(toldProblems(wrong, terminal))
  else terminal.out(`${counted(files)}: no problems`)
  return wrong.length === 0 ? 0 : 1
}

/** Checks files and the files of folders.
 *  @param limit default: that of files
 *  @throws GiveUp */
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

/** Each problem with its place in the file, and how many there are. */
export function toldProblems(wrong: readonly CheckedFile[], { colours }: Terminal): string {
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

/** `2 scenario files and 1 settings file`. */
function counted(files: readonly CheckedFile[]): string {
  const kinds = [...new Set(files.map(({ kind }) => kind))]
  return kinds
    .map((kind) => plural(files.filter((file) => file.kind === kind).length, `${kind} file`))
    .join(', ')
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
