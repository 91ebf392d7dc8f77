import { closeSync, existsSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CliError } from './cli-error.ts'
import type { Environment } from './terminal.ts'

/** The variable that names the folder to which every emulator of a suite writes what it has met. */
export const coverageVariable = 'EMULATOR_COVERAGE_DIR'

/** The folder that it names; undefined where there is none. */
export function coverageFolderIn(env: Environment): string | undefined {
  const folder = env[coverageVariable]
  return folder === undefined || folder === '' ? undefined : resolve(folder)
}

/** Makes sure that a file can be written, before anything long begins; makes its folder. @throws GiveUp */
export function makeWritable(file: string): void {
  attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    const isNew = !existsSync(file)
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  })
}

/** Writes a file of results. @throws GiveUp */
export function writeResult(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text))
}

function attempt(file: string, act: () => unknown): void {
  try {
    act()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(2, `error: cannot write ${JSON.stringify(file)}: ${reason}`)
  }
}
