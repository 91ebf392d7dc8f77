import { setTimeout as sleep } from 'node:timers/promises'

const workers = 8
const firstPauseMs = 100
const longestPauseMs = 5000

/** Work that is done after the answer, by name: what is asked for while it waits is done once, and what is asked for
 *  while it is being done is done once more. What fails is tried again, later and later.
 *  @param work `(name) => Promise`; an error's `retryAfterMs` is kept
 *  @param attempts after which somebody else (the poller) has to see to it */
export class WorkQueue {
  #work
  #attempts
  #waiting = new Set()
  #running = new Set()

  constructor(work, attempts) {
    this.#work = work
    this.#attempts = attempts
  }

  add(name) {
    this.#waiting.add(name)
    this.#next()
  }

  #next() {
    for (const name of this.#waiting) {
      if (this.#running.size >= workers) return
      if (this.#running.has(name)) continue
      this.#waiting.delete(name)
      this.#running.add(name)
      void this.#run(name).finally(() => {
        this.#running.delete(name)
        this.#next()
      })
    }
  }

  async #run(name, attempt = 1) {
    try {
      await this.#work(name)
    } catch (error) {
      console.error(`${name}, attempt ${attempt}: ${error.message}`)
      if (attempt < this.#attempts) void this.#later(name, attempt, error.retryAfterMs ?? 0)
    }
  }

  /** Does not keep a worker waiting. */
  async #later(name, attempt, atLeastMs) {
    await sleep(Math.max(atLeastMs, Math.min(firstPauseMs * 2 ** attempt, longestPauseMs)))
    await this.#run(name, attempt + 1)
  }
}
