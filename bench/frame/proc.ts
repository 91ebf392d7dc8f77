import { readFileSync } from 'node:fs'

/** Clock ticks of `/proc`, a constant of Linux's interface whatever the kernel's own. */
const ticksPerSecond = 100

/** Seconds that a process, all its threads, and those of its children that have ended, have computed, user and system;
 *  to ten milliseconds. NaN where there is no `/proc`, or no such process. */
export function cpuSeconds(pid: number | 'self' | undefined): { own: number; children: number } {
  // The name in parentheses may hold spaces.
  const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  const seconds = (user: number) => (Number(fields[user]) + Number(fields[user + 1])) / ticksPerSecond
  return { own: seconds(11), children: seconds(13) }
}

/** Resident memory in bytes. NaN where there is no `/proc`, or no such process. */
export const residentBytes = (pid: number | undefined): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(procFile(pid, 'status'))?.[1]) * 1024

function procFile(pid: number | 'self' | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
