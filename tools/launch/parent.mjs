import { readFileSync } from 'node:fs'

// Read at load: later it may already be the process that adopts orphans.
const parent = process.ppid
const npm = shellInBetween() ? parentOf(parent) : null

/** Whether the process that started this launcher has ended. */
export function parentIsGone() {
  if (process.ppid !== parent) return true
  // On Windows an orphan keeps its parent's number.
  if (process.platform === 'win32') return !isAlive(parent)
  return npm !== null && parentOf(parent) !== npm
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
  return statOf(pid)?.state !== 'Z'
}

/** npm starts scripts through a shell. Most shells give way to the command, some stay and outlive npm. */
function shellInBetween() {
  if (!process.env.npm_lifecycle_event) return false
  return /\0-c\0.*launch\.mjs/s.test(readProc(parent, 'cmdline') ?? '')
}

function parentOf(pid) {
  return statOf(pid)?.parent ?? null
}

function statOf(pid) {
  // The command's name, in parentheses, may hold spaces and parentheses itself.
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields && { state: fields[0], parent: Number(fields[1]) }
}

/** `null` where there is no /proc: there, the shells known all give way. */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}
