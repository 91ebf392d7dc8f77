import type { ClockState } from '../domain/client/client.ts'
import type { JournalEntry } from '../domain/journal/entry.ts'
import type { Decision } from '../domain/order/decision.ts'
import type { ScenarioNews } from '../domain/scenario/scenario.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptResult, NewDelivery } from '../domain/webhook/delivery.ts'
import type { ClockMove } from '../time/scheduler.ts'

/** What happens in the emulator, at the moment it has happened; a request once its answer is ready to leave. */
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
      /** What happens to deliveries beside their attempts. Those of an order are made with its `order`. */
      readonly type: 'deliveries'
      readonly change: 'made' | 'held' | 'released' | 'resent'
      readonly clientId: string
      readonly ids: readonly string[]
    }
  /** The entry is as the journal keeps it, masked and bounded. */
  | { readonly type: 'request'; readonly entry: JournalEntry }
  /** Clocks that were moved or set to another pace. */
  | { readonly type: 'clocks'; readonly clocks: readonly { clientId: string; clock: ClockState }[] }
  /** Clocks that somebody moved, or set to another pace: once for each call, when they are there. */
  | { readonly type: 'moved'; readonly moves: readonly ClockMove[] }
  /** Worlds that came whole, with all that is in them: fixtures, a restored snapshot. */
  | { readonly type: 'worlds'; readonly clientIds: readonly string[] }
  /** A world that is no more, or that begins anew; of all clients if none is named. */
  | { readonly type: 'emptied'; readonly clientId: string | undefined }
  /** A reset has been done, of one client or of all. What it ended and made was told before. */
  | { readonly type: 'reset'; readonly clientId: string | undefined }
  | { readonly type: 'scenario'; readonly news: ScenarioNews }
  /** Somebody has changed clients, faults, scenarios, plans or settings by a call. */
  | { readonly type: 'setup' }

/** The live feed: everyone who wants to know is told at once, in order. Nothing is kept. */
export class Feed {
  readonly #listeners = new Set<(event: FeedEvent) => void>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Listens until the answer is called. */
  listen(listener: (event: FeedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What happened has happened: a listener that fails changes nothing of it. */
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
