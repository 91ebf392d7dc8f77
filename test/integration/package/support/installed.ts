import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Project, projectAt } from '../../support/project.ts'
import { packed } from '../../support/tarball.ts'

// Beside the projects, so that its path has a space like theirs.
const onlyLoopback = join(inject('sharedFolder'), 'only-loopback.cjs')
copyFileSync(join(import.meta.dirname, 'only-loopback.cjs'), onlyLoopback)

/** For programs: offline, as far as Node can tell. */
export const offline = { NODE_OPTIONS: `--require=${JSON.stringify(onlyLoopback)}` }

/** A project into which the package was installed, and nothing else. Made once for all test files; add no packages. */
export async function installed(): Promise<Project> {
  const path = join(inject('sharedFolder'), 'project')
  if (existsSync(join(path, 'node_modules'))) return projectAt(path)
  const project = projectAt(path)
  await project.install(await packed())
  return project
}
