import { readFileSync, statSync } from 'node:fs'
import { oneLine } from '../../domain/text/issue-words.ts'
import { fileText, tooLarge } from '../../domain/text/limits.ts'
import { yamlFilesAt } from '../../lifecycle/scenarios/yaml-files.ts'
import { CliError } from '../cli-error.ts'
import type { Terminal } from '../terminal.ts'

/** The path and the text of a file. */
export interface NamedFile {
  readonly file: string
  readonly text: string
}

/** Reads the files that a user names: each file, and all YAML files in a folder, at any depth. Warns about the other
 *  files of a folder.
 *  @throws CliError if a file cannot be read, or a folder has no YAML file */
export function namedFiles(paths: readonly string[], terminal: Terminal): NamedFile[] {
  warnOfIgnored(paths, terminal)
  const files = paths.flatMap((path) => {
    const { files: found, folders, problems } = yamlFilesAt(path)
    const [problem] = problems
    if (problem !== undefined)
      throw new CliError(2, `error: ${JSON.stringify(problem.file)} ${problem.message}`)
    if (found.length > 0) return found
    throw new CliError(
      2,
      folders.length > 0
        ? `error: the folder ${JSON.stringify(path)} contains no .yaml or .yml file`
        : `error: there is no file or folder ${JSON.stringify(path)}`,
    )
  })
  return [...new Set(files)].map((file) => ({ file, text: textOf(file) }))
}

const namedAtMost = 10

/** Warns in one line about files in folders that are ignored. */
export function warnOfIgnored(paths: readonly string[], terminal: Terminal): void {
  const ignored = [...new Set(paths.flatMap((path) => yamlFilesAt(path).ignored))]
  if (ignored.length === 0) return
  const names = ignored.slice(0, namedAtMost).map((name) => oneLine(name, 300))
  const more = ignored.length > namedAtMost ? ` and ${ignored.length - namedAtMost} more` : ''
  terminal.err(`warning: ignored ${names.join(', ')}${more}; in a folder, only .yaml and .yml files are read`)
}

function textOf(file: string): string {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) throw new Error('it is a pipe or a device')
    if (stat.size > fileText.bytes) throw new Error(`it ${tooLarge(fileText)}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(2, `error: cannot read the file ${JSON.stringify(file)}: ${reason}`)
  }
}
