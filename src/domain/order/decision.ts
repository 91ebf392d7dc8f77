import type { Settings } from '../choices/settings.ts'
import type { Client } from '../client/client.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { EpochMs } from '../text/time.ts'
import type { NewDelivery } from '../webhook/delivery.ts'
import type { HistoryEntry, Order } from './order.ts'

/** The members of a client that an order's scenario may change, as they are to be. */
export interface ClientChange
  extends Pick<
    Client,
    'webhookUrl' | 'webhookPaused' | 'settings' | 'ownTokenExpired' | 'tokensRefusedUntil'
  > {
  /** All tokens that were given out expire at this moment, if they have not yet; null for none. */
  readonly tokensExpireAt: EpochMs | null
}

/** What a verb decided: all that one commit writes, or none of it. */
export interface Decision {
  /** The order as it is to be; its `version` is one above the version decided on. */
  readonly order: Order
  /** What happened, oldest first. */
  readonly history: readonly HistoryEntry[]
  /** What the client is to be told, in order. */
  readonly events: readonly NewDelivery[]
  /** Another order that begins in the same commit: the next charge of a subscription. */
  readonly opens?: Decision | undefined
  /** What happens to the client in the same commit. */
  readonly client?: ClientChange | undefined
  /** The `POST /_emulator/scenarios/next` binding that a new order uses up. */
  readonly takesBinding?: string | undefined
  /** New orders only: refuse the requestId if any client has used it (`requestIds.scope: global`, N16). */
  readonly uniqueAcrossClients?: boolean | undefined
}

/** A planned choice of scenario for coming orders. */
export interface Binding {
  readonly id: string
  readonly scenario: string
  /** null: any client, any requestId. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** How many orders it still binds. */
  readonly remaining: number
}

/** What a verb must know besides the order: everything a decision depends on is handed in. */
export interface DecisionContext {
  readonly nowMs: EpochMs
  /** Seconds that pass on the client's clock in one; 0 where it stands until it is moved. */
  readonly clockSpeed: number
  /** Those of the client, with those of the scenario laid over. */
  readonly settings: Settings
  /** The scenario in the version that the order began with. */
  readonly scenario: Scenario
  /** The seed of the emulator, from which ids and chance follow. */
  readonly seed: string
  /** The client as it is at this moment. */
  readonly client: Client
}
