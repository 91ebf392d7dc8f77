import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { nodePackage } from '../../../tools/launch/node-version.mjs'
import { runWell } from './run.ts'

/** Fetches the newest Node of a range, such as `22` or `22.19.0`, and answers the path of its binary. */
export async function nodeOf(range: string): Promise<string> {
  const [name] = nodePackage(process.platform, process.arch, false) ?? []
  if (name === undefined) throw new Error(`npm has no Node for ${process.platform} ${process.arch}`)
  const home = join(inject('sharedFolder'), 'nodes', range)
  if (!existsSync(home)) {
    const partial = `${home}-${process.pid}`
    mkdirSync(partial, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save']
    await runWell('npm', ['install', '--prefix', '.', ...quiet, `${name}@${range}`], { cwd: partial })
    renameSync(partial, home)
  }
  return join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
