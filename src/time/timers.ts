import { stopwatch } from './wall.ts'

/** After so long others have their turn. */
const turnMs = 5

/** For work in many small pieces: what is answered is called between two of them, and lets the rest of the process go
 *  on whenever the work has had its turn. */
export function turns(): () => Promise<void> {
  let begun = stopwatch()
  return async () => {
    if (stopwatch() - begun < turnMs) return
    await new Promise((resolve) => setImmediate(resolve))
    begun = stopwatch()
  }
}

/** A turn of the event loop. */
interface Turn {
  readonly isOver: boolean
  /** When everything that came in it has been read. */
  readonly end: Promise<void>
}

class CurrentTurn implements Turn {
  isOver = false
  readonly end = new Promise<void>((resolve) => {
    setImmediate(() => {
      this.isOver = true
      current = null
      resolve()
    })
  })
}

let current: CurrentTurn | null = null

export function thisTurn(): Turn {
  current ??= new CurrentTurn()
  return current
}

/** Timers for durations on the wall. Whatever is due on a client's clock belongs to the scheduler instead. */

/** What Node's timers know, 25 days; it takes more than that for no time at all. */
const longestMs = 2 ** 31 - 1

/** Calls `act` once after `ms`, at most 25 days; the answer cancels it. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, Math.min(ms, longestMs))
  return () => clearTimeout(timer)
}

/** The same, but what is only waiting does not keep the process alive. */
export function soon(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}

/** Calls `act` every `ms` until the answer is called. Does not keep the process alive. */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms).unref()
  return () => clearInterval(timer)
}

/** Resolves after `ms`. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for something, but for no longer than `ms`. */
export async function atMost(ms: number, thing: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const end = after(ms, over.resolve)
  await Promise.race([thing, over.promise]).finally(end)
}

const retryMs = 1_000

/** Does what must not be forgotten: again and again, a second apart, while it fails (a full disk), until it is done.
 *  @returns null if `unwanted` said so after a failure */
export async function persist<T>(
  act: () => Promise<T>,
  around: { onError: (error: unknown) => void; unwanted: () => boolean },
): Promise<T | null> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      around.onError(error)
      if (around.unwanted()) return null
      await pause(retryMs)
      if (around.unwanted()) return null
    }
  }
}
