import type { Generation } from '../domain/generation.ts'
import type { Order } from '../domain/order.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { persist } from '../time/timers.ts'
import { hasEnded } from './world-exchange.ts'

interface Around {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly onError: (error: unknown) => void
}

/** The create calls whose answer has left, and whose webhook is about to be made due. */
export class AnswerReleases {
  readonly #around: Around
  readonly #byClient = new Map<string, Set<Promise<unknown>>>()
  #stopped = false

  constructor(around: Around) {
    this.#around = around
  }

  /** The answer of an order's create call has left, or its connection has died: its webhook may go. */
  async release(order: Order, generation: Generation): Promise<void> {
    const { store, scheduler, onError } = this.#around
    const { clientId } = order
    const isOver = () => scheduler.generation(clientId) !== generation
    const release = async () => {
      if (!isOver()) await store.releaseAnswer(order, scheduler.now(clientId), generation).catch(unlessEnded)
    }
    // If this were given up, no webhook of the order would ever leave.
    const released = persist(release, { onError, unwanted: () => isOver() || this.#stopped })
    const releases = this.#byClient.get(clientId) ?? new Set()
    releases.add(released)
    this.#byClient.set(clientId, releases)
    await released
    releases.delete(released)
    if (releases.size === 0) this.#byClient.delete(clientId)
    scheduler.wake(clientId)
  }

  /** Until those of a client that have begun are done; null if there are none. */
  underWay(clientId: string): Promise<void> | null {
    const releases = this.#byClient.get(clientId)
    return releases === undefined ? null : Promise.all(releases).then(() => undefined)
  }

  /** Gives up what it is trying again; the next start finds it in the store. */
  stop(): void {
    this.#stopped = true
  }
}

function unlessEnded(error: unknown): void {
  if (!hasEnded(error)) throw error
}
