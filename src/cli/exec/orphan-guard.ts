import { spawn } from 'node:child_process'

/** Waits for a line; without one, its standard input was closed by the end of this program. */
const script = `read -r line && exit
kill -s TERM -- "$0" || exit
for second in 1 2 3 4; do sleep 1; kill -s 0 -- "$0" || exit; done
kill -s KILL -- "$0"`

/** Has a process or a process group end once this program is gone, even if SIGKILL ended it: a shell of its own session
 *  notices, because the system closes its standard input then. Does nothing on Windows and where there is no shell.
 *  @param target a process id, or that of a group with a minus in front
 *  @returns takes the guard away */
export function guardAgainstOrphans(target: number): () => void {
  if (process.platform === 'win32') return () => {}
  const shell = spawn('/bin/sh', ['-c', script, String(target)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return () => shell.stdin.end('\n')
}
