import { constants } from 'node:os'
import { onLauncherEnd } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import type { CommandName } from './options.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long the restoring of the client may take after a signal. */
const lastMs = 4_000
/** Within this time a second signal counts as the same one, because the terminal and npm both send it. */
const sameSignalMs = 1_000

/** Thrown when a signal has stopped a run. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** The exit code: 128 plus the number of the signal, as in shells. */
  readonly exitCode: number

  constructor(signal: (typeof signals)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Waits for a run. A signal aborts it, and the run restores the client. A later signal ends the program at once.
 *  @param name the command that restores the client if this run cannot
 *  @throws Stopped, which is also the abort reason of the run */
export async function untilStopped<T>(
  run: (signal: AbortSignal) => Promise<T>,
  terminal: Terminal,
  name: CommandName = 'conform',
): Promise<T> {
  const abortion = new AbortController()
  let firstAt: number | null = null
  let late: NodeJS.Timeout | undefined
  const stop = (signal: (typeof signals)[number]) => {
    const stopped = new Stopped(signal)
    if (firstAt !== null) {
      if (performance.now() - firstAt > sameSignalMs) process.exit(stopped.exitCode)
      return
    }
    firstAt = performance.now()
    terminal.err('stopped; restoring the client')
    late = setTimeout(() => {
      terminal.err(`stopped before the client was restored; the next run of \`${name}\` will restore it`)
      process.exit(stopped.exitCode)
    }, lastMs).unref()
    abortion.abort(stopped)
  }
  const listeners = signals.map((signal) => [signal, () => stop(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const ignoreLauncher = onLauncherEnd(() => stop('SIGTERM'))
  try {
    return await run(abortion.signal)
  } finally {
    clearTimeout(late)
    ignoreLauncher()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
