import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeOnce } from '../../support/made-once.ts'
import { type Project, projectAt } from '../../support/project.ts'
import { packed } from '../../support/tarball.ts'

// Beside the projects, so that its path has a space like theirs.
const preload = await madeOnce('preload', async (folder) => {
  copyFileSync(join(import.meta.dirname, 'only-loopback.cjs'), join(folder, 'only-loopback.cjs'))
})

/** Blocks the network for programs, as far as Node allows. */
export const offline = { NODE_OPTIONS: `--require=${JSON.stringify(join(preload, 'only-loopback.cjs'))}` }

/** A project into which the package was installed, and nothing else. Made once for all test files; add no packages. */
export async function installed(): Promise<Project> {
  const path = await madeOnce('project', async (folder) => {
    await projectAt(folder).install(await packed())
  })
  return projectAt(path)
}
