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
    | 'webhookUrl'
    | 'webhookPaused'
    | 'pausedAfter'
    | 'failedInARow'
    | 'settings'
    | 'ownTokenExpired'
    | 'tokensRefusedUntil'
  > {
  /** The time at which all unexpired issued tokens expire; null leaves them unchanged. */
  readonly tokensExpireAt: EpochMs | null
}

/** The result of a verb: everything that one commit writes, all or nothing. */
export interface Decision {
  /** The changed order. Its `version` is one higher than before. */
  readonly order: Order
  /** New entries for the order's history, oldest first. */
  readonly history: readonly HistoryEntry[]
  /** The webhooks that the decision causes, in order. */
  readonly events: readonly NewDelivery[]
  /** Another order that starts in the same commit: the next charge of a subscription. */
  readonly opens?: Decision | undefined
  /** A change of the client that is committed together with the order. */
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
  /** The client and the requestId that the plan is for; null for any. */
  readonly clientId: string | null
  readonly requestId: string | null
  /** The number of orders that the plan is still good for. */
  readonly remaining: number
}

/** Everything beside the order on which a decision depends. */
export interface DecisionContext {
  readonly nowMs: EpochMs
  /** The speed of the client's clock; 0 for a manual one. */
  readonly clockSpeed: number
  /** The settings of the client with the scenario's overrides. */
  readonly settings: Settings
  /** The version of the scenario that the order follows. */
  readonly scenario: Scenario
  /** The seed from which ids and random choices follow. */
  readonly seed: string
  /** How many orderIds of a new order were drawn before and are taken (N83). */
  readonly draw?: number | undefined
  readonly client: Client
}
