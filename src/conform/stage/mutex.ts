/** Runs acts one after the other. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs an act once all earlier ones have ended, whether they failed or not. */
  run<T>(act: () => Promise<T>): Promise<T> {
    const ran = this.#last.then(act)
    this.#last = ran.catch(() => undefined)
    return ran
  }
}
