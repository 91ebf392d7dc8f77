import type { Settings } from '../choices/settings.ts'
import type { Client } from '../client/client.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import type { NewDelivery } from '../webhook/delivery.ts'
import type { HistoryEntry, Order } from './order.ts'

/** The fields of a client that an order's scenario may change, with their new values. */
export interface ClientChange
  extends Pick<
    Client,
    'webhookUrl' | 'webhookPaused' | 'settings' | 'ownTokenExpired' | 'tokensRefusedUntil'
  > {
  /** Unexpired issued tokens expire at this time; null for none. */
  readonly tokensExpireAt: EpochMs | null
}

/** The result of a verb: everything that one commit writes, all or nothing. */
export interface Decision {
  /** The new order; its `version` is one above the version decided on. */
  readonly order: Order
  /** New history entries, oldest first. */
  readonly history: readonly HistoryEntry[]
  /** The webhooks to send, in order. */
  readonly events: readonly NewDelivery[]
  /** Another order that starts in the same commit: the next charge of a subscription. */
  readonly opens?: Decision | undefined
  /** The change of the client in the same commit. */
  readonly client?: ClientChange | undefined
  /** The `POST /_emulator/scenarios/next` plan that a new order uses up. */
  readonly takesBinding?: string | undefined
  /** New orders only: reject the requestId if any client has used it (`requestIds.scope: global`, N16). */
  readonly uniqueAcrossClients?: boolean | undefined
}

/** A scenario planned for coming orders. */
export interface Binding {
  readonly id: string
  readonly scenario: string
  /** null for any client, any requestId. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** The number of orders left. */
  readonly remaining: number
}

/** Everything that a decision depends on beside the order. */
export interface DecisionContext {
  readonly nowMs: EpochMs
  /** The speed of the client's clock; 0 for a manual one. */
  readonly clockSpeed: number
  /** The settings of the client with the scenario's overrides. */
  readonly settings: Settings
  /** The scenario version of the order. */
  readonly scenario: Scenario
  /** The seed from which ids and random choices follow. */
  readonly seed: string
  readonly client: Client
}
