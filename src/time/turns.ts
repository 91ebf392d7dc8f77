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

let turn: Promise<void> | null = null

/** Resolves when everything that has come in this turn of the event loop has been read. */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null
      resolve()
    })
  })
  return turn
}
