import { join } from 'node:path'
import { nodePackage } from '../../../tools/launch/node-version.mjs'
import { madeOnce } from './made-once.ts'
import { runWell } from './run.ts'

/** Fetches the newest Node of a range, such as `22` or `22.19.0`, and answers the path of its binary. */
export async function nodeOf(range: string): Promise<string> {
  const name = nodePackage(process.platform, process.arch, false)?.name
  if (name === undefined) throw new Error(`npm has no Node for ${process.platform} ${process.arch}`)
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save']
  const home = await madeOnce(`node-${range}`, async (cwd) => {
    await runWell('npm', ['install', '--prefix', '.', ...quiet, `${name}@${range}`], { cwd })
  })
  return join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
