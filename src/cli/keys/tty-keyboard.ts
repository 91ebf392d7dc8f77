import { inForeground } from './foreground.ts'
import type { Keyboard } from './keyboard.ts'

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
