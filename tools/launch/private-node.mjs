import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { nodePackage } from './node-version.mjs'

/** The binary fetched into `.node/` earlier; `null` if there is none or it is not the pinned version. */
export function privateNodePath(root) {
  // Without regard to musl: what was never fetched is not found here.
  const pinned = nodePackage(process.platform, process.arch, false)
  if (!pinned) return null
  const home = join(root, '.node', 'node_modules', pinned.name)
  const path = nodeBinary(home)
  if (!existsSync(path)) return null
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return version === pinned.version ? path : null
}

/** Where such a package keeps its binary. */
export const nodeBinary = (home) => join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** This process's environment, in which `node` means the given one. */
export function environmentFor(node) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const path = process.env[key]
  return { ...process.env, [key]: path ? `${dirname(node)}${delimiter}${path}` : dirname(node) }
}
