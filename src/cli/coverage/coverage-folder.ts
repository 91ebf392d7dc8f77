import { resolve } from 'node:path'
import type { Environment } from '../terminal.ts'

/** The variable that names the folder to which every emulator of a suite writes what it has met. */
export const coverageVariable = 'EMULATOR_COVERAGE_DIR'

/** The folder that it names; undefined where there is none. */
export function coverageFolderIn(env: Environment): string | undefined {
  const folder = env[coverageVariable]
  return folder === undefined || folder === '' ? undefined : resolve(folder)
}
