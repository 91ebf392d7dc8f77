// As it was when this was loaded: a test that fakes time may fake this too.
const { nextTick } = process

/** Small work that no answer has to wait for. It is done once what is ready to leave has left, and before anything else
 *  comes in; sooner if somebody settles it, who wants to see what comes of it. */
export class Afterwards {
  readonly #onError: (error: unknown) => void
  #jobs: (() => void)[] = []
  /** How many of them have been begun. */
  #begun = 0

  /** @param onError told of what a job throws; the others are done all the same */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Puts off a job. Jobs are done in the order they came. */
  do(job: () => void): void {
    if (this.#jobs.push(job) === 1) nextTick(this.#settleAll)
  }

  /** Does now what was put off, and what that puts off in turn. A job may call this too. */
  settle(): void {
    // Each request asks, and nearly always nothing is left.
    if (this.#jobs.length === 0) return
    for (;;) {
      const job = this.#jobs[this.#begun]
      if (job === undefined) break
      this.#begun += 1
      this.#attempt(job)
    }
    this.#jobs = []
    this.#begun = 0
  }

  readonly #settleAll = (): void => this.settle()

  #attempt(job: () => void): void {
    try {
      job()
    } catch (error) {
      this.#onError(error)
    }
  }
}
