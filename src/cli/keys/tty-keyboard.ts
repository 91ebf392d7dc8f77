import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Keyboard } from '../terminal.ts'

/** Signals that end a process without running exit handlers. */
const endings = ['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2'] as const

/** The keyboard of the terminal on standard input. While it is open the terminal is in raw mode. The mode is
 *  restored on close, on exit, on signals that end the process, and while the process is stopped (Ctrl-Z, SIGTSTP). */
export const ttyKeyboard: Keyboard = {
  isOurs: inForeground,
  open,
  // On Windows a signal ends a process at once, so there is none to send.
  signal: (name) => (process.platform === 'win32' ? process.emit(name) : process.kill(0, name)),
  show: (text) => process.stdout.write(text),
}

function open(onTyped: (typed: string) => void): () => void {
  const input = process.stdin
  const take = () => {
    if (!inForeground()) return
    input.setRawMode(true)
    input.resume()
  }
  const give = () => {
    input.pause()
    if (input.isRaw) input.setRawMode(false)
  }
  const listen = (text: string) => onTyped(text)
  const stopped = () => {
    give()
    // SIGSTOP, because SIGTSTP would call this handler again.
    process.kill(process.pid, 'SIGSTOP')
  }
  const ended = (signal: NodeJS.Signals) => {
    give()
    // After the handler is removed, the signal has its usual effect.
    process.off(signal, ended)
    process.kill(process.pid, signal)
  }
  input.setEncoding('utf8').on('data', listen)
  for (const signal of endings) process.on(signal, ended)
  process.on('exit', give)
  process.on('SIGTSTP', stopped)
  process.on('SIGCONT', take)
  take()
  return () => {
    give()
    input.off('data', listen)
    for (const signal of endings) process.off(signal, ended)
    process.off('exit', give)
    process.off('SIGTSTP', stopped)
    process.off('SIGCONT', take)
  }
}

/** Whether this job is in the foreground of its terminal, and receives its keys (Ctrl-C). The system stops a
 *  background job that reads from the terminal or changes its mode. */
export function inForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, foreground] = process.platform === 'linux' ? groupsFromProc() : groupsFromPs()
    return group !== undefined && group === foreground
  } catch {
    return false
  }
}

/** The process group of this process, and the foreground group of its terminal. */
function groupsFromProc(): readonly (string | undefined)[] {
  // After the command name in parentheses: state, parent, group, session, terminal, foreground group.
  const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return [group, foreground]
}

function groupsFromPs(): string[] {
  const call = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]
  return execFileSync('ps', call, { encoding: 'utf8' }).trim().split(/\s+/)
}
