import type { Order } from '../domain/order.ts'
import type { Store } from '../store/store.ts'
import type { Scheduler } from '../time/scheduler.ts'
import { persist } from '../time/timers.ts'
import type { Clients } from './clients.ts'

interface Around {
  readonly store: Store
  readonly clients: Clients
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
  async release({ clientId, orderId }: Order): Promise<void> {
    const { store, clients, scheduler, onError } = this.#around
    const gone = () => clients.find(clientId) === undefined
    const release = async () => {
      if (gone()) return
      await store.releaseAnswer(orderId, scheduler.now(clientId))
    }
    // If this were given up, no webhook of the order would ever leave.
    const released = persist(release, { onError, unwanted: () => gone() || this.#stopped })
    const releases = this.#byClient.get(clientId) ?? new Set()
    this.#byClient.set(clientId, releases.add(released))
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
