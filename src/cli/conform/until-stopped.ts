import { constants } from 'node:os'
import { onLauncherEnd } from '../stop.ts'
import type { Terminal } from '../terminal.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Putting things back takes this long at most. */
const lastMs = 4_000
/** A terminal and npm both pass a signal on. */
const sameSignalMs = 1_000

/** Somebody has ended a run. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** What a shell expects: 128 and the number of the signal. */
  readonly exitCode: number

  constructor(signal: (typeof signals)[number]) {
    super(`stopped by ${signal}`)
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** Waits for a run, which a signal ends: it then has a moment to put back what it has changed. A later signal ends the
 *  program at once.
 *  @throws Stopped, as the reason of the signal that the run is given */
export async function untilStopped<T>(
  run: (signal: AbortSignal) => Promise<T>,
  terminal: Terminal,
): Promise<T> {
  const abortion = new AbortController()
  let firstAt: number | null = null
  const stop = (signal: (typeof signals)[number]) => {
    const stopped = new Stopped(signal)
    if (firstAt !== null) {
      if (performance.now() - firstAt > sameSignalMs) process.exit(stopped.exitCode)
      return
    }
    firstAt = performance.now()
    terminal.err('stopped; restoring the client')
    setTimeout(() => {
      terminal.err('stopped before the client was restored; the next run of `conform` will restore it')
      process.exit(stopped.exitCode)
    }, lastMs).unref()
    abortion.abort(stopped)
  }
  const listeners = signals.map((signal) => [signal, () => stop(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const notTold = onLauncherEnd(() => stop('SIGTERM'))
  try {
    return await run(abortion.signal)
  } finally {
    notTold()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
