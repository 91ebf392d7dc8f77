import { stopwatch } from '../time/wall.ts'

/** What took longer to be answered comes from a receiver whose other answers are further apart than is worth waiting
 *  for, ms. */
const quickMs = 1

/** The longest that an answer waits for others, ms. */
const patienceMs = 0.5

/** Has the answers of a quick receiver go on together. What has left together is answered within moments; taken as they
 *  come, the answers would be recorded, and the next webhooks claimed and sent, in two or three transactions instead of
 *  one, and each time the receiver would have to be woken. */
export class AnswerBatches {
  /** By origin, where anything is unanswered. */
  readonly #batches = new Map<string, Batch>()

  /** So many attempts are about to be made. */
  begin(origin: string, attempts: number): void {
    if (attempts === 0) return
    const batch = this.#batches.get(origin)
    if (batch === undefined) this.#batches.set(origin, { unanswered: attempts, waiting: null })
    else batch.unanswered += attempts
  }

  /** One of them has ended, however it did, after so many ms.
   *  @returns resolves once all have, or a moment later; null if there is nothing to wait for */
  end(origin: string, ms: number): Promise<void> | null {
    const batch = this.#batches.get(origin)
    if (batch === undefined) return null
    batch.unanswered -= 1
    const { waiting } = batch
    if (batch.unanswered === 0) {
      this.#batches.delete(origin)
      release(batch)
      // After those that came before it.
      return waiting?.promise ?? null
    }
    if (waiting === null && ms > quickMs) return null
    return (waiting ?? wait(batch)).promise
  }
}

interface Batch {
  unanswered: number
  /** Null while nobody waits. */
  waiting: PromiseWithResolvers<void> | null
}

function wait(batch: Batch): PromiseWithResolvers<void> {
  const waiting = Promise.withResolvers<void>()
  batch.waiting = waiting
  const begun = stopwatch()
  // No timer is that short. What comes in the meantime is read between two looks.
  const look = () => {
    if (batch.waiting !== waiting) return
    if (stopwatch() - begun < patienceMs) setImmediate(look)
    else release(batch)
  }
  setImmediate(look)
  return waiting
}

function release(batch: Batch): void {
  batch.waiting?.resolve()
  batch.waiting = null
}
