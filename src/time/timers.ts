import { stopwatch } from './wall.ts'

/** Milliseconds of work after which other work gets a turn. */
const turnMs = 5

/** Splits long work: awaiting the returned function between two pieces lets other work run whenever the turn is used
 *  up. */
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
  /** Resolves when all input of this turn has been read. */
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

/** The limit of Node's timers, 25 days; they treat longer times as zero. */
const longestMs = 2 ** 31 - 1

/** Calls `act` once after `ms` milliseconds, at most 25 days.
 *  @returns a function that cancels the call */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, Math.min(ms, longestMs))
  return () => clearTimeout(timer)
}

/** Like `after`, but does not keep the process alive. */
export function soon(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}

/** Calls `act` every `ms` and does not keep the process alive.
 *  @returns ends the calls */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms).unref()
  return () => clearInterval(timer)
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for a promise, at most `ms`. */
export async function atMost(ms: number, thing: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const end = after(ms, over.resolve)
  await Promise.race([thing, over.promise]).finally(end)
}

const retryMs = 1_000

/** Repeats an act a second apart until it succeeds, for results that must not be lost (a full disk).
 *  @returns null if `unwanted` was true after a failure */
export async function persist<T>(
  act: () => Promise<T>,
  context: { onError: (error: unknown) => void; unwanted: () => boolean },
): Promise<T | null> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      context.onError(error)
      if (context.unwanted()) return null
      await pause(retryMs)
      if (context.unwanted()) return null
    }
  }
}
