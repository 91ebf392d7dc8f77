import type { SettingsOverlay } from '../choices/settings.ts'
import type { HistoryEntry, Order } from '../order/order.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import type { Delivery } from '../webhook/delivery.ts'
import type { Written } from './written-scenario.ts'

/** An order with its history and its webhooks. */
export interface RecordedOrder {
  readonly order: Order
  readonly history: readonly HistoryEntry[]
  /** In the order of their creation. */
  readonly deliveries: readonly Delivery[]
}

/** Everything on record about one order; of a subscription, about all its charges. */
export interface RecordedLife {
  /** By charge; the first one is that of the create call. */
  readonly orders: readonly [RecordedOrder, ...RecordedOrder[]]
  /** The version of the scenario that the order follows; null if this version of the emulator cannot read it. */
  readonly scenario: Scenario | null
  /** The settings of the client in a user's form, those for all clients included. */
  readonly settings: SettingsOverlay
  readonly seed: string
  /** The present time of the client's clock. */
  readonly nowMs: EpochMs
}

/** A step of a kept scenario: when it happened, and the fields of its line without the time. */
export interface KeptStep {
  readonly at: EpochMs
  readonly fields: Written
  /** A date of the order from which the time counts; the creation if left out. */
  readonly since?: { readonly date: 'expiry' | 'trialEnd' | 'interval'; readonly at: EpochMs } | undefined
  /** The number of webhooks that the step sends in addition to those about changes. */
  readonly extras?: number | undefined
}
