import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stampPath = (root) => join(root, 'node_modules', '.launch-lock')

/** Whether `node_modules` holds what `package-lock.json` asks for, on this kind of machine. */
export function dependenciesInstalled(root) {
  const wanted = stamp(root)
  if (readText(stampPath(root)) === wanted) return true
  if (!treeMatchesLock(root)) return false
  // Installed by hand (`npm ci`, `npm install x`): remembered, so that the next start compares text only.
  try {
    writeFileSync(stampPath(root), wanted)
  } catch {}
  return true
}

/** A copy, not a hash: comparing it costs less than loading a hash function. */
const stamp = (root) => `${process.platform}-${process.arch}\n${readText(join(root, 'package-lock.json'))}`

/** npm writes its own list of what is there as the last thing it does, so an interrupted install has none. */
export function treeMatchesLock(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !isNeeded(entry)) return true
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity
  })
}

/** Optional packages are mostly binaries of other machines; this machine's own must be there. */
function isNeeded({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return true
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
}

function readPackages(path) {
  try {
    return JSON.parse(readText(path)).packages
  } catch {
    return null
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
