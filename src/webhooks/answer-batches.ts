import { SmallMap } from '../domain/small-map.ts'
import { stopwatch } from '../time/wall.ts'

/** What took longer to be answered, in whole ms, comes from a receiver whose other answers are further apart than is worth
 *  waiting for. */
const quickMs = 1

/** The longest that an answer waits for others, ms. */
const patienceMs = 0.5

/** The same for a stopwatch that somebody has stopped: a hundred looks or so take half a millisecond. */
const mostLooks = 1_000

/** So long nobody waits for anything of a receiver that has been waited for in vain, ms: waiting keeps the processor busy. */
const restMs = 10

/** Attempts that are made at the same time. */
export interface AnswerBatch {
  /** One of them has ended, however it did, after so many ms.
   *  @returns resolves once all have, or a moment later; null if there is nothing to wait for */
  end(ms: number): Promise<void> | null
}

/** Has the answers of a quick receiver go on together. What has left together is answered within moments; taken as they
 *  come, the answers would be recorded, and the next webhooks claimed and sent, in two or three transactions instead of
 *  one, and each time the receiver would have to be woken. */
export class AnswerBatches {
  readonly #watch: () => number
  /** Those that may still grow, by origin. */
  readonly #open = new SmallMap<string, Batch>()

  /** @param watch monotonic milliseconds */
  constructor(watch = stopwatch) {
    this.#watch = watch
  }

  /** So many attempts are about to be made. Each of them has to `end` in the answer. */
  begin(origin: string, attempts: number): AnswerBatch {
    const batch = this.#open.get(origin) ?? this.#opened(origin, -Infinity)
    batch.unanswered += attempts
    return batch
  }

  #opened(origin: string, restsUntil: number): Batch {
    const batch = new Batch(this.#watch, restsUntil, (inVain) => {
      // What has not been answered by then holds up nothing that begins from now on.
      if (inVain) this.#opened(origin, this.#watch() + restMs)
      else this.#open.delete(origin)
    })
    this.#open.set(origin, batch)
    return batch
  }
}

class Batch implements AnswerBatch {
  unanswered = 0
  readonly #watch: () => number
  readonly #restsUntil: number
  readonly #onClosed: (inVain: boolean) => void
  #isClosed = false
  /** Null while nobody waits. */
  #waiting: PromiseWithResolvers<void> | null = null

  constructor(watch: () => number, restsUntil: number, onClosed: (inVain: boolean) => void) {
    this.#watch = watch
    this.#restsUntil = restsUntil
    this.#onClosed = onClosed
  }

  end(ms: number): Promise<void> | null {
    this.unanswered -= 1
    if (this.#isClosed) return null
    const waiting = this.#waiting
    if (this.unanswered === 0) this.#close({ inVain: false })
    else if (waiting === null) return ms > quickMs || this.#watch() < this.#restsUntil ? null : this.#wait()
    // The last one, too, goes on after those that came before it.
    return waiting?.promise ?? null
  }

  #wait(): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    this.#waiting = waiting
    const begun = this.#watch()
    let looks = 0
    // No timer is that short. What comes in the meantime is read between two looks.
    const look = () => {
      if (this.#isClosed) return
      looks += 1
      if (looks < mostLooks && this.#watch() - begun < patienceMs) setImmediate(look)
      else this.#close({ inVain: true })
    }
    setImmediate(look)
    return waiting.promise
  }

  #close({ inVain }: { inVain: boolean }): void {
    this.#isClosed = true
    this.#onClosed(inVain)
    this.#waiting?.resolve()
  }
}
