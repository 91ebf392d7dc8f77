/** The turns that changes of clients take: each reads what the one before has written. */
export class ClientTurns {
  #last: Promise<unknown> = Promise.resolve()

  /** Makes a change in its turn. */
  take<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#last.then(change)
    this.#last = changed.catch(() => undefined)
    return changed
  }
}
