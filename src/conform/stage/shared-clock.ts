import { parseDuration } from '../../domain/text/duration.ts'
import type { TestClient } from '../../index.ts'

/** A case that waits for the client's clock. */
interface Wait {
  /** The time on the client's clock for which it waits. */
  readonly untilMs: number
  /** Whether a later time will do as well. */
  readonly orLater: boolean
  readonly resolve: (nowMs: number) => void
  readonly reject: (error: unknown) => void
}

/** Moves the client's clock for cases that run side by side. It moves only once each of them waits for it, and never past
 *  a time for which one waits exactly: each case sees the clock move as if it ran alone. */
export class SharedClock {
  readonly #client: TestClient
  readonly #onMove: (nowMs: number) => Promise<void>
  readonly #waits = new Set<Wait>()
  #running = 0
  #moving = false

  /** @param onMove called after each move, before any case goes on */
  constructor(client: TestClient, onMove: (nowMs: number) => Promise<void>) {
    this.#client = client
    this.#onMove = onMove
  }

  /** Runs a case. Until it has ended, the clock moves only while the case waits for it. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await run()
    } finally {
      this.#running -= 1
      this.#moveIfAllWait()
    }
  }

  /** Waits until the clock has moved by a duration, and everything that became due has ended.
   *  @param orMore whether the clock may move further for other cases, which saves time
   *  @returns the time on the client's clock */
  async advance(by: string, orMore: boolean): Promise<number> {
    const byMs = parseDuration(by)
    if (byMs === null) throw new RangeError(`not a duration: ${by}`)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const nowMs = await this.#client.clock.now()
    this.#waits.add({ untilMs: nowMs + byMs, orLater: orMore, resolve, reject })
    this.#moveIfAllWait()
    return promise
  }

  #moveIfAllWait(): void {
    if (this.#moving || this.#waits.size === 0 || this.#waits.size < this.#running) return
    this.#moving = true
    void this.#move(this.#nextTime())
  }

  /** The earliest time for which a case waits exactly; otherwise the latest. */
  #nextTime(): number {
    const timesOf = (waits: readonly Wait[]) => waits.map(({ untilMs }) => untilMs)
    const waits = [...this.#waits]
    const exact = waits.filter(({ orLater }) => !orLater)
    return exact.length > 0 ? Math.min(...timesOf(exact)) : Math.max(...timesOf(waits))
  }

  async #move(untilMs: number): Promise<void> {
    try {
      const { now } = await this.#client.clock.advanceTo(untilMs)
      await this.#onMove(now)
      this.#end(({ resolve }) => resolve(now), now)
    } catch (error) {
      this.#end(({ reject }) => reject(error), Number.POSITIVE_INFINITY)
    }
    this.#moving = false
    this.#moveIfAllWait()
  }

  /** Ends the waits for times up to `untilMs`. */
  #end(end: (wait: Wait) => void, untilMs: number): void {
    for (const wait of this.#waits) {
      if (wait.untilMs > untilMs) continue
      this.#waits.delete(wait)
      end(wait)
    }
  }
}
