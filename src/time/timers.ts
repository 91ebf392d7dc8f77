/** Timers for durations on the wall. Whatever is due on a client's clock belongs to the scheduler instead. */

/** Calls `act` once after `ms`; the answer cancels it. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Calls `act` every `ms` until the answer is called. Does not keep the process alive. */
export function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms).unref()
  return () => clearInterval(timer)
}

/** Resolves after `ms`. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
