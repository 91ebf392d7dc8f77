import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether the terminal is this job's at the moment, and what it sends by a key (Ctrl-C) comes to all of this job. One
 *  in the background that reads from its terminal, or changes its mode, is stopped by the system. */
export function inForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, foreground] = process.platform === 'linux' ? groupsFromProc() : groupsFromPs()
    return group !== undefined && group === foreground
  } catch {
    return false
  }
}

/** This process's group, and the group in the foreground of its terminal. */
function groupsFromProc(): readonly (string | undefined)[] {
  // After the command's name, which stands in parentheses: state, parent, group, session, terminal, foreground group.
  const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return [group, foreground]
}

function groupsFromPs(): string[] {
  const call = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]
  return execFileSync('ps', call, { encoding: 'utf8' }).trim().split(/\s+/)
}
