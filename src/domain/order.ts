import type {
  errorReason,
  historyEntry,
  lookups,
  order,
  orderRequest,
  orderTerms,
  refund,
  refundFailure,
  scenarioChoice,
  subscription,
  turns,
} from './order-shape.ts'
import type { Plain } from './plain.ts'

export { type OrderKind, orderKinds } from './order-kind.ts'

/** One order: both its legs, and its own place in its scenario. */
export type Order = Plain<typeof order>

/** The accepted members of a create request that only pages and presenters read again. */
export type OrderRequest = Plain<typeof orderRequest>

/** Which scenario an order follows, and what chose it. */
export type ScenarioChoice = Plain<typeof scenarioChoice>

/** What the settings and the scenario said when the order began, and what of the scenario it has to remember; stored
 *  as JSON. */
export type OrderTerms = Plain<typeof orderTerms>

/** Which webhooks of an order have had their turn, where its scenario reorders them. */
export type Turns = Plain<typeof turns>

/** Why an order has failed (R74). */
export type ErrorReason = Plain<typeof errorReason>

/** A refund of an order, a part of it or all (N63). */
export type Refund = Plain<typeof refund>

/** What a refund failed with, and when. */
export type RefundFailure = Plain<typeof refundFailure>

/** Where a subscription stands; stored with the order of its first charge (N64j). */
export type Subscription = Plain<typeof subscription>

/** How often an order was looked up. */
export type Lookups = Plain<typeof lookups>

/** One thing that happened to an order. */
export type HistoryEntry = Plain<typeof historyEntry>
