import type { Scheduler } from '../time/scheduler.ts'

/** The turns that changes of clients take: each reads what the one before has written. */
export class ClientTurns {
  readonly #scheduler: Scheduler
  #last: Promise<void> = Promise.resolve()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Makes a change in its turn. */
  take<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#last.then(change)
    this.#last = changed.then(
      () => undefined,
      () => undefined,
    )
    return changed
  }

  /** The same, unless the client's world is removed before the turn comes: whoever removes it has the turn, and waits
   *  for the end of what the world is doing. @throws client_unknown, stopping */
  async takeWhileThere<T>(clientId: string, change: () => Promise<T>): Promise<T | null> {
    const turn = Promise.withResolvers<void>()
    let isThere = true
    const changed = this.take(async () => {
      turn.resolve()
      // Without a world, whoever asked has been refused by now.
      return isThere ? change() : null
    })
    try {
      await this.#scheduler.whileThere(clientId, turn.promise)
    } catch (error) {
      isThere = false
      throw error
    }
    return changed
  }
}
