import { soon } from '../time/timers.ts'

/** Pauses in what nobody waits for. Once somebody does, there are none. */
export class Pauses {
  #waiting = 0
  readonly #running = new Set<() => void>()

  /** Resolves after `ms`, or as soon as somebody waits. */
  take(ms: number): Promise<void> {
    if (this.#waiting > 0) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#running.delete(end)
        resolve()
      }
      const cancel = soon(ms, end)
      this.#running.add(end)
    })
  }

  /** Lets nothing pause until `thing` has settled. */
  async without<T>(thing: Promise<T>): Promise<T> {
    this.#waiting += 1
    for (const end of this.#running) end()
    try {
      return await thing
    } finally {
      this.#waiting -= 1
    }
  }
}
