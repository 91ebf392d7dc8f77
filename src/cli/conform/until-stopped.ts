import { constants } from 'node:os'
import { onLauncherEnd } from '../stop.ts'
import type { Terminal } from '../terminal.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What may be put back takes this long at most. */
const lastMs = 4_000
/** A terminal and npm both pass a signal on. */
const sameSignalMs = 1_000

/** Waits for a run. A signal ends the program at once, with what a shell expects, but puts back first what the run has
 *  changed; one that comes later does not wait for that.
 *  @param putBack called when a signal comes */
export async function untilStopped<T>(
  run: Promise<T>,
  putBack: () => Promise<void>,
  terminal: Terminal,
): Promise<T> {
  let stoppingSince: number | null = null
  const stop = (signal: (typeof signals)[number]) => {
    const end = () => process.exit(128 + constants.signals[signal])
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > sameSignalMs) end()
      return
    }
    stoppingSince = performance.now()
    terminal.err('stopped; putting the client back as it was')
    setTimeout(end, lastMs)
    putBack().then(end, end)
  }
  const listeners = signals.map((signal) => [signal, () => stop(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const notTold = onLauncherEnd(() => stop('SIGTERM'))
  try {
    return await run
  } finally {
    // What the stop does to a run that is under way is no result of it.
    if (stoppingSince !== null) await new Promise(() => {})
    notTold()
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
