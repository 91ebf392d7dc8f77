import type { ClockState } from '../domain/client/client.ts'
import type { JournalEntry } from '../domain/journal/entry.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { ScenarioNews } from '../domain/scenario/scenario.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptResult, NewDelivery } from '../domain/webhook/delivery.ts'
import type { ClockMove } from '../time/scheduler.ts'

/** Events of the emulator, emitted after they happened; a request once its answer is ready to leave. */
export type FeedEvent =
  | { readonly type: 'order'; readonly decision: Decision }
  | {
      readonly type: 'attempt'
      readonly delivery: NewDelivery & { readonly attempt: number }
      readonly url: string
      readonly at: EpochMs
      readonly result: AttemptResult
    }
  /** Attempts that are on record and about to leave. */
  | { readonly type: 'claimed'; readonly deliveries: readonly (NewDelivery & { readonly attempt: number })[] }
  | {
      readonly type: 'skipped'
      readonly delivery: Pick<NewDelivery, 'id' | 'clientId' | 'requestId' | 'orderStatus' | 'body'>
    }
  | {
      /** Changes of deliveries other than attempts. Deliveries of an order come with its `order` event. */
      readonly type: 'deliveries'
      readonly change: 'made' | 'held' | 'released' | 'resent'
      readonly clientId: string
      readonly ids: readonly string[]
    }
  /** The entry as stored: masked and bounded. */
  | { readonly type: 'request'; readonly entry: JournalEntry }
  /** Clocks that were moved, or got another pace. */
  | { readonly type: 'clocks'; readonly clocks: readonly { clientId: string; clock: ClockState }[] }
  /** Clocks that a call moved or gave another pace: once for each call, at its end. */
  | { readonly type: 'moved'; readonly moves: readonly ClockMove[] }
  /** Clients loaded with all their data: fixtures, a restored snapshot. */
  | { readonly type: 'worlds'; readonly clientIds: readonly string[] }
  /** The data of a client was removed; of all clients if none is named. */
  | { readonly type: 'emptied'; readonly clientId: string | undefined }
  /** A reset has ended, of one client or of all. Its single changes were emitted before. */
  | { readonly type: 'reset'; readonly clientId: string | undefined }
  | { readonly type: 'scenario'; readonly news: ScenarioNews }
  /** A call has changed clients, faults, scenarios, plans or settings. */
  | { readonly type: 'setup' }

/** The live feed: emits events to all listeners at once and in order, and stores nothing. */
export class Feed {
  readonly #listeners = new Set<(event: FeedEvent) => void>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Adds a listener.
   *  @returns removes it */
  listen(listener: (event: FeedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Emits an event. A failing listener changes nothing for others. */
  emit(event: FeedEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
