import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CliError } from './cli-error.ts'
import type { Environment } from './terminal.ts'

/** The variable for the folder into which all emulators of a test suite write their coverage. */
export const coverageVariable = 'EMULATOR_COVERAGE_DIR'

/** The folder for coverage files; undefined without the variable. */
export function coverageFolderIn(env: Environment): string | undefined {
  const folder = env[coverageVariable]
  return folder === undefined || folder === '' ? undefined : resolve(folder)
}

/** Checks that a file can be written, and creates its folder, before anything long begins.
 *  @throws CliError */
export function makeWritable(file: string): void {
  attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  })
}

/** A file to write. */
interface NewFile {
  readonly path: string
  readonly text: string
}

/** Writes new files, all or none.
 *  @param isForced whether existing files may be overwritten
 *  @throws CliError */
export function writeNew(files: readonly NewFile[], isForced: boolean): void {
  for (const { path } of files) refuseExisting(path, isForced)
  for (const { path } of files) makeWritable(path)
  for (const { path, text } of files) writeResult(path, text)
}

/** Refuses to overwrite a file.
 *  @throws CliError */
export function refuseExisting(file: string, isForced: boolean): void {
  if (!isForced && existsSync(file))
    throw new CliError(2, `error: ${JSON.stringify(file)} already exists; \`--force\` overwrites it`)
}

/** Writes a result file.
 *  @throws CliError */
export function writeResult(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text))
}

/** Appends Markdown to a summary file, and in GitHub Actions to the summary of the job.
 *  @param summary the file of `--summary`, if given
 *  @throws CliError */
export function appendSummary(summary: string | null, markdown: string, env: Environment): void {
  for (const file of new Set([summary, env.GITHUB_STEP_SUMMARY || null]))
    if (file !== null) attempt(file, () => appendFileSync(file, markdown))
}

function attempt(file: string, act: () => unknown): void {
  try {
    act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(2, `error: cannot write ${JSON.stringify(file)}: ${reason}`)
  }
}
