import { spawn } from 'node:child_process'

/** Reads what to end, then waits for a line; without one, its standard input was closed by the end of this program. */
const script = `read -r target && [ -n "$target" ] || exit
read -r line && exit
kill -s TERM -- "$target" || exit
for second in 1 2 3 4; do sleep 1; kill -s 0 -- "$target" || exit; done
kill -s KILL -- "$target"`

/** Ends a process or a process group once this program is gone, even if SIGKILL ended it. */
export interface OrphanGuard {
  /** @param target a process id, or that of a group with a minus in front */
  watch(target: number): void
  /** Takes the guard away. */
  dismiss(): void
}

/** Starts a guard, which has to be there before what it watches: a shell of its own session, which notices our end
 *  because the system closes its standard input then. It does nothing on Windows and where there is no shell. */
export function startGuard(): OrphanGuard {
  if (process.platform === 'win32') return { watch: () => {}, dismiss: () => {} }
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // Without a shell the command runs all the same; only SIGKILL can then leave it behind.
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    watch: (target) => void shell.stdin.write(`${target}\n`),
    dismiss: () => void shell.stdin.end('\n'),
  }
}
