import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const inputs = [
  'src',
  'tools/build.mjs',
  'tools/build',
  'tools/entry',
  'tools/launch',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** Whether `dist` was built from the sources as they are. Costs one stat per source file. */
export function distIsCurrent(root) {
  return (
    existsSync(join(root, 'dist', 'cli.js')) &&
    readBuildStamp(join(root, 'dist'))?.sources === listSources(root)
  )
}

/** What the last build left beside its files: the sources it saw and the files it made; `null` if none. */
export function readBuildStamp(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, '.build-stamp'), 'utf8'))
  } catch {
    return null
  }
}

/**
 * One line for each file that has a say in the build: path, time of change, size. Compared for equality,
 * not for "newer", so that a file put back from a copy, or a deleted one, is a change too.
 */
export function listSources(root) {
  const lines = []
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat?.isDirectory()) return lines.push(`${path} ${stat?.mtimeMs} ${stat?.size}`)
    for (const name of readdirSync(join(root, path)).sort()) {
      // Editors' swap and backup files come and go without a change.
      if (!name.startsWith('.') && !name.endsWith('~')) visit(`${path}/${name}`)
    }
  }
  for (const path of inputs) visit(path)
  return lines.join('\n')
}
