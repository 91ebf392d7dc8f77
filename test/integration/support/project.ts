import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { runWell } from './run.ts'

/** A project of a user, outside of any checkout. */
export interface Project {
  readonly path: string
  /** Writes files, by name. */
  write(files: Readonly<Record<string, string>>): void
  /** `npm install` with these arguments. */
  install(...what: string[]): Promise<string>
}

/** An empty project, apart from a package.json like the one of `npm init`. */
export const aProject = (): Project => projectAt(mkdtempSync(join(inject('sharedFolder'), 'project-')))

/** A project in a folder with a name, or in an existing one. */
export function projectAt(path: string): Project {
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), text)
    }
  }
  if (!existsSync(join(path, 'package.json')))
    write({ 'package.json': '{"name":"project","version":"1.0.0","private":true}' })
  return {
    path,
    write,
    install: (...what) => runWell('npm', ['install', '--no-audit', '--no-fund', ...what], { cwd: path }),
  }
}
