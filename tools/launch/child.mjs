import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parentIsGone } from './parent.mjs'

/** An error that the user can do something about: its message is shown without a stack; exit code 2. */
export class Refusal extends Error {}

/** The launcher was told to stop, or its parent is gone: no next step is to be started. */
export class Stopped extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

let stoppedBy

/** Throws `Stopped` if a signal came while an earlier command ran, or if there is no parent to work for. */
export function assertWanted() {
  if (parentIsGone()) stoppedBy ??= 'SIGTERM'
  if (stoppedBy) throw new Stopped(stoppedBy)
}

const parentPollMs = 500
const killAfterMs = 6_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command and resolves to its exit code (128 + number if a signal ended it). Passes signals on,
 * and ends the command when our own parent is gone: npm killed with SIGKILL cannot tell anybody.
 * @param {object} options
 * @param {boolean} [options.channel] give the child an IPC channel, closed by the system when we die
 * @param {(text: string) => void} [options.onOutput] takes the output, which is then not shown
 * @param {(pid: number) => void} [options.onPid]
 */
export function run(command, args, { env, cwd, shell, channel, onOutput, onPid }) {
  assertWanted()
  return new Promise((resolve, reject) => {
    const pass = (signal) => {
      stoppedBy = signal
      // A Windows console tells every process itself, and kill() there is never gentle.
      if (process.platform !== 'win32') child.kill(signal)
    }
    // Before the spawn: a signal between the two would leave the child alone.
    for (const signal of signals) process.on(signal, pass)
    const output = onOutput ? 'pipe' : 'inherit'
    const stdio = onOutput ? ['ignore', output, output] : [output, output, output]
    const child = spawn(command, args, { env, cwd, shell, stdio: channel ? [...stdio, 'ipc'] : stdio })
    if (child.pid) onPid?.(child.pid)
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
    const orphaned = endWithParent(child)
    const settle = (act) => {
      clearInterval(orphaned)
      for (const signal of signals) process.off(signal, pass)
      act()
    }
    child.on('error', (error) => settle(() => reject(new Refusal(`Cannot run ${command}: ${error.message}`))))
    child.on(onOutput ? 'close' : 'exit', (code, signal) =>
      settle(() => resolve(code ?? 128 + constants.signals[signal])),
    )
  })
}

function endWithParent(child) {
  const timer = setInterval(() => {
    if (!parentIsGone()) return
    clearInterval(timer)
    stoppedBy ??= 'SIGTERM'
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref()
  }, parentPollMs).unref()
  return timer
}
