import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'

/** A folder in the shared one that is made once for all test files: who asks first makes it, who asks meanwhile waits.
 *  @param make fills the folder, which is there and empty
 *  @returns its path */
export async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('sharedFolder'), name)
  const outcome = `${folder}.outcome`
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined
  if (isFirst) {
    const failure = await make(folder).then(() => '', String)
    // By a rename, so that nobody reads half of it.
    writeFileSync(`${outcome}.part`, failure)
    renameSync(`${outcome}.part`, outcome)
  }
  while (!existsSync(outcome)) await pause(50)
  const failure = readFileSync(outcome, 'utf8')
  if (failure !== '') throw new Error(`${name} could not be made: ${failure}`)
  return folder
}
