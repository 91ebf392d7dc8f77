import type { EpochMs } from '../../domain/text/time.ts'
import type { DueQueue } from '../../time/pump.ts'
import type { Scheduler } from '../../time/scheduler.ts'
import { after } from '../../time/timers.ts'

/** A call whose answer a fault delays. */
export interface Hold {
  /** Resolves with true when the delay is over; with false if it is aborted: the caller is gone, the client was
   *  reset, or the emulator stops. */
  readonly released: Promise<boolean>
  abort(): void
  /** To be called once the released answer has been sent, or is delayed again. An advance of the clock waits for
   *  this call. */
  left(): void
}

interface Held {
  readonly id: string
  readonly dueAt: EpochMs
  readonly end: (isReleased: boolean) => void
  readonly left: Promise<void>
}

/** Delays answers on their clients' clocks. Delays exist in memory only: a delayed answer ends with its connection,
 *  and the connection with the process. */
export class HeldAnswers implements DueQueue {
  readonly #scheduler: Scheduler
  readonly #waiting = new Map<string, Set<Held>>()
  /** Answers that were released and are being sent. */
  readonly #leaving = new Map<string, Set<Held>>()
  /** Functions that abort delays on the wall clock. */
  readonly #ofNobody = new Set<() => void>()
  #held = 0
  #stopped = false

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Delays the answer of a call.
   *  @param clientId the client whose clock is used; null for the wall clock
   *  @param ms the delay in milliseconds; null to delay until aborted
   *  @throws client_unknown */
  hold(clientId: string | null, ms: number | null): Hold {
    return clientId === null ? this.#holdOnWall(ms) : this.#holdFor(clientId, ms)
  }

  #holdOnWall(ms: number | null): Hold {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (isReleased: boolean) => {
      cancel()
      this.#ofNobody.delete(abort)
      resolve(isReleased)
    }
    const abort = () => end(false)
    const cancel = ms === null ? () => {} : after(ms, () => end(true))
    this.#ofNobody.add(abort)
    if (this.#stopped) abort()
    return { released: promise, abort, left: () => {} }
  }

  #holdFor(clientId: string, ms: number | null): Hold {
    const dueAt = ms === null ? Infinity : this.#scheduler.now(clientId) + ms
    const released = Promise.withResolvers<boolean>()
    const left = Promise.withResolvers<void>()
    const over = ms === null ? () => {} : this.#scheduler.holdBegins(clientId)
    this.#held += 1
    const held: Held = {
      id: `held-${this.#held}`,
      dueAt,
      left: left.promise,
      end: (isReleased) => {
        remove(this.#waiting, clientId, held)
        over()
        if (isReleased) add(this.#leaving, clientId, held)
        released.resolve(isReleased)
      },
    }
    add(this.#waiting, clientId, held)
    if (this.#stopped) held.end(false)
    else this.#scheduler.wake(clientId)
    return {
      released: released.promise,
      abort: () => {
        if (this.#waiting.get(clientId)?.has(held)) held.end(false)
      },
      left: () => {
        remove(this.#leaving, clientId, held)
        left.resolve()
      },
    }
  }

  /** Aborts the delays of a client, or of all, because of a reset. */
  drop(clientId?: string): void {
    const worlds = clientId === undefined ? [...this.#waiting.keys()] : [clientId]
    for (const each of worlds) for (const held of this.#waiting.get(each) ?? []) held.end(false)
    if (clientId === undefined) for (const abort of this.#ofNobody) abort()
  }

  /** Aborts all delayed answers, and lets no further answer be delayed. */
  stop(): void {
    this.#stopped = true
    this.drop()
  }

  async nextDue(clientId: string, after = -Infinity): Promise<EpochMs | null> {
    const dues = this.#of(clientId).map(({ dueAt }) => dueAt)
    const next = Math.min(...dues.filter((due) => due > after))
    return next === Infinity ? null : next
  }

  async start(clientId: string, until: EpochMs): Promise<number> {
    const due = this.#of(clientId).filter(({ dueAt }) => dueAt <= until)
    for (const held of due.toSorted((a, b) => a.dueAt - b.dueAt)) held.end(true)
    return due.length
  }

  async unfinished(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]> {
    const due = this.#of(clientId).filter(({ dueAt }) => dueAt <= until)
    const ids = [...due, ...(this.#leaving.get(clientId) ?? [])].map(({ id }) => id)
    return among === undefined ? ids : ids.filter((id) => among.includes(id))
  }

  /** Resolves when a released answer has been sent: its caller may advance the clock at once, and effects of the
   *  answer must come before. */
  busy(clientId: string): Promise<void> | null {
    const leaving = this.#leaving.get(clientId)
    return leaving === undefined ? null : Promise.race([...leaving].map(({ left }) => left))
  }

  #of(clientId: string): Held[] {
    return [...(this.#waiting.get(clientId) ?? [])]
  }
}

function add(worlds: Map<string, Set<Held>>, clientId: string, held: Held): void {
  worlds.set(clientId, (worlds.get(clientId) ?? new Set()).add(held))
}

function remove(worlds: Map<string, Set<Held>>, clientId: string, held: Held): void {
  const world = worlds.get(clientId)
  world?.delete(held)
  if (world?.size === 0) worlds.delete(clientId)
}
