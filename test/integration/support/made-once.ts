import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'

/** Creates a folder in the shared one once for all test files; others wait for it.
 *  @param make fills the empty folder
 *  @returns its path */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('sharedFolder'), name)
  const outcome = `${folder}.outcome`
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined
  if (isFirst) {
    const failure = await make(folder).then(() => '', String)
    // By a rename, so that nobody reads an unfinished file.
    writeFileSync(`${outcome}.part`, failure)
    renameSync(`${outcome}.part`, outcome)
  }
  while (!existsSync(outcome)) await pause(50)
  const failure = readFileSync(outcome, 'utf8')
  if (failure !== '') throw new Error(`${name} could not be made: ${failure}`)
  return folder
}
