import type { NewDelivery } from './delivery.ts'
import type { HistoryEntry, Order } from './order.ts'

/** What a verb decided: all that one commit writes, or none of it. */
export interface Decision {
  /** The order as it is to be; its `version` is one above the version decided on. */
  readonly order: Order
  /** What happened, oldest first. */
  readonly history: readonly HistoryEntry[]
  /** What the client is to be told, in order. */
  readonly events: readonly NewDelivery[]
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
