// As it was at the start: a test that fakes time may fake this too.
const { nextTick } = process

/** Small work that no answer has to wait for. It is done once all that leaves in this part of a turn of the event loop
 *  has left, and before anything else comes in; sooner if somebody settles it, who wants to see what comes of it. */
export class Afterwards {
  readonly #onError: (error: unknown) => void
  #jobs: (() => void)[] = []

  /** @param onError told of what a job throws; the others are done all the same */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Puts off a job. Jobs are done in the order they came. */
  do(job: () => void): void {
    if (this.#jobs.push(job) === 1) nextTick(this.#settleAll)
  }

  /** Does now what was put off, and what that puts off in turn. */
  settle(): void {
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs
      this.#jobs = []
      for (const job of jobs) this.#attempt(job)
    }
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
