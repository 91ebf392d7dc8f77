import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'

const lookEveryMs = 20
const lookAtLeastEveryMs = 200

/** Repeats a check until it holds, at most for a wall-clock time.
 *  @returns whether it held
 *  @throws the abort reason */
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

/** Runs `act` for each of many things, up to `atOnce` in parallel.
 *  @returns the results, in the order of the things */
export async function eachOf<T, R>(
  things: readonly T[],
  act: (thing: T) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  const results: R[] = []
  const left = things.entries()
  const worker = async () => {
    for (const [index, thing] of left) results[index] = await act(thing)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
