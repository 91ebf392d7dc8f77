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
export interface Turn {
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
