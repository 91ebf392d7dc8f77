import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'

const lookEveryMs = 20
const lookAtLeastEveryMs = 200

/** Asks again and again until it is so, for so long (wall) at most. @returns whether it came to be
 *  @throws the reason of the signal */
export async function until(
  holds: () => Promise<boolean>,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const watch = stopwatch()
  for (let waitMs = lookEveryMs; ; waitMs = Math.min(waitMs * 1.5, lookAtLeastEveryMs)) {
    signal?.throwIfAborted()
    if (await holds()) return true
    const leftMs = withinMs - (stopwatch() - watch)
    if (leftMs < 0) return false
    await pause(Math.min(waitMs, leftMs + 1))
  }
}
