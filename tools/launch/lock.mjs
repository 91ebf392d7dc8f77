import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertWanted } from './child.mjs'
import { isAlive } from './parent.mjs'

const pollMs = 100
const explainAfterMs = 1_000

/**
 * Does `work` while no other launcher of this checkout does its own. The lock is a folder that holds one
 * file named after its owner; it comes into being complete, by a rename, and an owner that died is removed
 * by that name, so nobody can remove a living one by mistake.
 * @param {(alsoHeldBy: (pid: number) => void) => Promise<T>} work may name a child: the lock then stands
 *   until that one has ended too, for it goes on if only the launcher is killed
 * @template T
 * @returns {Promise<T>}
 */
export async function exclusively(root, work) {
  const lock = join(root, '.node', 'lock')
  const owner = `${process.pid}-${Date.now()}`
  for (let waitedMs = 0; !take(lock, owner); waitedMs += pollMs) {
    assertWanted()
    if (waitedMs === explainAfterMs) {
      process.stderr.write(`Another start is preparing this checkout: waiting for it (${lock})\n`)
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  try {
    return await work((pid) => writeFileSync(join(lock, owner), String(pid)))
  } finally {
    rmSync(join(lock, owner), { force: true })
    removeIfEmpty(lock)
  }
}

function take(lock, owner) {
  for (const other of readNames(lock)) {
    if (!isHeldBy(lock, other)) rmSync(join(lock, other), { force: true })
  }
  removeIfEmpty(lock)
  const prepared = `${lock}-${owner}`
  mkdirSync(prepared, { recursive: true })
  writeFileSync(join(prepared, owner), '')
  try {
    renameSync(prepared, lock)
    return true
  } catch {
    rmSync(prepared, { recursive: true, force: true })
    return false
  }
}

function isHeldBy(lock, owner) {
  const child = readChild(join(lock, owner))
  return isAlive(Number.parseInt(owner, 10)) || (child > 0 && isAlive(child))
}

function readChild(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return 0
  }
}

function readNames(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function removeIfEmpty(folder) {
  try {
    rmdirSync(folder)
  } catch {
    // Not empty: somebody's. Or not there.
  }
}
