import type { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Clock } from './clock.ts'
import { type DueQueue, earliest, type Pump } from './pump.ts'

/** The number of pump rounds, at most, for work that arrives while a due time is settled, plus one for each piece of
 *  work that was there. Then only newer work may be keeping it from ending. */
const roundsForNewWork = 128
const roundsForEach = 4

/** One client's time: its clock, the pump that starts due work, and the waits of walks for the end of that work. */
export class World {
  readonly clientId: string
  readonly clock: Clock
  readonly pump: Pump
  readonly #queues: readonly DueQueue[]
  /** The reason of the removal; null while the client exists. */
  #removed: EmulatorError | null = null
  /** Callbacks to run on removal. A shared promise would leak every racer. */
  readonly #onRemoval = new Set<(reason: EmulatorError) => void>()
  /** Waits for the clock that began while a walk held it, or while others' work was in progress, which may wait in turn. */
  readonly #holds = new Set<symbol>()
  #holdBegun = Promise.withResolvers<void>()
  /** The end of the last requested walk; later walks of the client queue behind it. */
  #walks: Promise<void> = Promise.resolve()

  constructor(pump: Pump, queues: readonly DueQueue[]) {
    this.clientId = pump.clientId
    this.clock = pump.clock
    this.pump = pump
    this.#queues = queues
  }

  get isRemoved(): boolean {
    return this.#removed !== null
  }

  /** Carries out all work that is due now, and waits for its end, deliveries included. Work that becomes due on the
   *  way is included, but not for ever: under a stream of new orders, it ends when all work from its start is done.
   *  It also ends if only others' work is left while something waits for the clock since the walk began, because
   *  only moving the clock can end that. Rejects if the client is removed, or as `giveUp` does. */
  settle(giveUp: Promise<never>): Promise<void> {
    return this.#unlessRemoved((removal) => this.#settle([giveUp, removal]))
  }

  /** Waits for a promise, and rejects with the reason of the removal if the client is removed. */
  whileThere<T>(wanted: Promise<T>): Promise<T> {
    return this.#unlessRemoved((removal) => Promise.race([wanted, removal]))
  }

  async #unlessRemoved<T>(act: (removal: Promise<never>) => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    // Prevents an unhandled rejection if `act` has ended and nothing listens any more.
    promise.catch(() => undefined)
    if (this.#removed !== null) reject(this.#removed)
    this.#onRemoval.add(reject)
    try {
      return await act(promise)
    } finally {
      this.#onRemoval.delete(reject)
    }
  }

  async #settle(ended: readonly Promise<never>[]): Promise<void> {
    const at = this.clock.now()
    let unfinished = await this.#unfinished(at)
    let patience = roundsForNewWork + roundsForEach * unfinished.length
    for (;;) {
      const { started, busyBefore } = await Promise.race([this.pump.pass(), ...ended])
      if (this.#removed !== null) throw this.#removed
      patience -= 1
      if (patience <= 0) {
        unfinished = await this.#unfinished(at, unfinished)
        if (unfinished.length === 0) return
        patience = roundsForEach
      }
      if (started > 0) continue
      const busy = [...busyBefore, ...this.pump.busy()]
      if (busy.length === 0 || this.#othersMayWait()) return
      await Promise.race([...busy, ...ended, this.#holdBegun.promise])
    }
  }

  /** Marks the start of a walk. Waits for the clock that exist already do not concern it, unless the walk before had
   *  to leave them. */
  beginWalk(): void {
    if (!this.#othersAreBusy()) this.#holds.clear()
    // Replaced at each walk: everything that ever waited for the old promise would leak.
    this.#holdBegun = Promise.withResolvers()
    this.clock.hold()
  }

  /** Marks the start of a wait for the clock, for which other work waits in turn.
   *  @returns a function that ends the mark */
  holdBegins(): () => void {
    if (!this.clock.isHeld && !this.#othersAreBusy()) return () => {}
    const hold = Symbol()
    this.#holds.add(hold)
    this.#holdBegun.resolve()
    this.#holdBegun = Promise.withResolvers()
    return () => this.#holds.delete(hold)
  }

  /** The client's next due time, later than `after` if given; null for none. */
  async nextDue(after?: EpochMs): Promise<EpochMs | null> {
    try {
      return earliest(await this.pump.dues(after))
    } catch (error) {
      // If the client was removed, its error explains why nothing can be asked.
      throw this.#removed ?? error
    }
  }

  /** Waits for earlier walks, and blocks later ones until `release`. */
  async takeTurn(): Promise<() => void> {
    const before = this.#walks
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#walks = before.then(() => promise)
    await before
    return resolve
  }

  /** Stops all work: the client is removed, or the emulator closes. Resolves when the pump has ended. */
  async remove(reason: EmulatorError): Promise<void> {
    this.#removed = reason
    for (const reject of this.#onRemoval) reject(reason)
    await this.pump.stop()
  }

  /** Whether all remaining work is webhooks, whose receivers may be waiting for the clock. */
  #othersMayWait(): boolean {
    if (this.#holds.size === 0) return false
    return !this.#queues.some((queue) => !queue.waitsForOthers && queue.busy(this.clientId) !== null)
  }

  #othersAreBusy(): boolean {
    return this.#queues.some((queue) => queue.waitsForOthers && queue.busy(this.clientId) !== null)
  }

  async #unfinished(until: EpochMs, among?: readonly string[]): Promise<string[]> {
    const lists = await Promise.all(
      this.#queues.map((queue) => queue.unfinished(this.clientId, until, among)),
    )
    return [...new Set(lists.flat())]
  }
}
