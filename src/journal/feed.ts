import type { Settings } from '../domain/choices/settings.ts'
import type { ClockState } from '../domain/client/client.ts'
import type { JournalEntry } from '../domain/journal/entry.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { ScenarioNews } from '../domain/scenario/scenario.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptResult, NewDelivery } from '../domain/webhook/delivery.ts'
import type { ClockMove } from '../time/scheduler.ts'

/** Events of the emulator, emitted after the change; for a request, once its answer is ready to be sent. */
export type FeedEvent =
  | { readonly type: 'order'; readonly decision: Decision }
  | {
      readonly type: 'attempt'
      readonly delivery: NewDelivery & { readonly attempt: number }
      readonly url: string
      readonly at: EpochMs
      readonly result: AttemptResult
      /** The settings under which it was sent. */
      readonly settings: Settings
      /** Whether it carried more than one signature. */
      readonly severalSignatures?: boolean | undefined
      /** The number of failures in a row, if this attempt has paused the client's webhooks (N72). */
      readonly pausedAfter?: number | undefined
    }
  /** Delivery attempts that are stored and about to be sent. */
  | { readonly type: 'claimed'; readonly deliveries: readonly (NewDelivery & { readonly attempt: number })[] }
  | {
      readonly type: 'skipped'
      readonly delivery: Pick<NewDelivery, 'id' | 'clientId' | 'requestId' | 'orderStatus' | 'body'>
    }
  | {
      /** Changes of deliveries other than attempts. New deliveries of an order are in its `order` event. */
      readonly type: 'deliveries'
      readonly change: 'made' | 'held' | 'released' | 'resent'
      readonly clientId: string
      readonly ids: readonly string[]
    }
  /** A new entry of the request log, as stored: masked and bounded. */
  | { readonly type: 'request'; readonly entry: JournalEntry }
  /** Clocks that were moved or changed their pace. */
  | { readonly type: 'clocks'; readonly clocks: readonly { clientId: string; clock: ClockState }[] }
  /** All clocks that one call moved or changed, emitted once at the end of the call. */
  | { readonly type: 'moved'; readonly moves: readonly ClockMove[] }
  /** Clients that were loaded with all their data, from a fixture or a snapshot. */
  | { readonly type: 'worlds'; readonly clientIds: readonly string[] }
  /** The data of one client was removed, or of all clients if `clientId` is undefined. */
  | { readonly type: 'emptied'; readonly clientId: string | undefined }
  /** A reset of one client or of all has ended; its single changes were emitted before. */
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
   *  @returns a function that removes it */
  listen(listener: (event: FeedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Emits an event to all listeners. A failing listener does not affect the others. */
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
