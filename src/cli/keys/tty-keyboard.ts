import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Keyboard } from '../terminal.ts'

/** Signals that end a process before it can run its last words. */
const endings = ['SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2'] as const

/** The keyboard of the terminal that is our standard input. While it is open the terminal is in raw mode, which is
 *  undone when it is closed, when the process exits or one of the signals that people send ends it, and while it is
 *  stopped (Ctrl-Z, SIGTSTP). */
export const ttyKeyboard: Keyboard = {
  isOurs: inForeground,
  open,
  // To Windows a signal is an end without warning.
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
    // Not SIGTSTP again: this handler would get it.
    process.kill(process.pid, 'SIGSTOP')
  }
  const ended = (signal: NodeJS.Signals) => {
    give()
    // Without a handler it does again what it does to any process.
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
