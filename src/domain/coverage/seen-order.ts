import type { JournalEntry } from '../journal/entry.ts'
import type { Decision } from '../order/decision.ts'
import type { Order } from '../order/order.ts'
import { statuses } from '../order/statuses.ts'
import type { EpochMs } from '../text/time.ts'
import type { AttemptResult, NewDelivery } from '../webhook/delivery.ts'

/** The events of the feed from which coverage follows. */
export type CoverageEvent =
  | { readonly type: 'order'; readonly decision: Decision }
  | { readonly type: 'claimed'; readonly deliveries: readonly Attempted[] }
  | AttemptEvent
  | { readonly type: 'skipped' }
  | { readonly type: 'request'; readonly entry: JournalEntry }

/** A webhook with the number of its attempt. */
export type Attempted = NewDelivery & { readonly attempt: number }

/** An attempt of a webhook has ended. */
export interface AttemptEvent {
  readonly type: 'attempt'
  readonly delivery: Attempted
  readonly url: string
  readonly at: EpochMs
  readonly result: AttemptResult
}

/** What a suite can meet. */
export const sections = ['hazards', 'answers', 'statuses', 'transitions', 'errorCodes', 'attempts'] as const
export type Section = (typeof sections)[number]

/** Something that was met, and how often. */
export interface Met {
  readonly section: Section
  readonly name: string
  readonly count: number
}

const known: ReadonlySet<string> = new Set(
  statuses.filter(({ of, from }) => of !== 'order' || from !== 'scenario').map(({ name }) => name),
)

/** Whether an order or a refund may have a status without a scenario that makes it up. */
export const isKnownStatus = (status: string): boolean => known.has(status)

type SeenMembers = Pick<Order, 'orderId' | 'clientId' | 'requestId' | 'orderStatus'>

/** A webhook that has reached its endpoint. */
interface SentWebhook {
  readonly deliveryId: string
  readonly at: EpochMs
  readonly accepted: boolean
}

/** What has happened to an order so far, as far as hazards depend on it. */
export class SeenOrder {
  /** Names its client and its requestId. */
  readonly key: string
  status: string
  /** Whether its create call has been answered. */
  answered = false
  /** No webhook says that it was CREATED, though one says how it ended. */
  lacksCreated = false
  /** A webhook with a final status has reached its endpoint. */
  finalSent = false
  /** The latest attempt of each webhook, by its `webhook-id`. */
  readonly sent = new Map<string, SentWebhook>()
  /** The `webhook-id` of the first webhook that told a status, by status and type. */
  readonly tellers = new Map<string, string>()
  /** The statuses of attempts that are on their way, by delivery. */
  readonly inFlight = new Map<string, Flying>()
  url: string | null = null

  constructor({ clientId, requestId, orderStatus }: SeenMembers) {
    this.key = keyOf(clientId, requestId)
    this.status = orderStatus
  }
}

/** An attempt that is on its way. */
export interface Flying {
  readonly orderStatus: string
  readonly webhookId: string
  /** A final status had reached the endpoint before it left. */
  readonly afterFinal: boolean
  /** Others that were on their way at the same time. */
  readonly beside: Flying[]
}

/** Of one order, so many webhooks are remembered. */
const mostWebhooks = 200

/** Sets a value, and forgets the oldest where there are too many. */
export function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > mostWebhooks && oldest !== undefined) map.delete(oldest)
}

/** So many orders are remembered; what happens to older ones is only counted by itself. */
const mostOrders = 5_000

/** The orders that events were about lately. */
export class SeenOrders {
  readonly #orders = new Map<string, SeenOrder>()
  /** The newest order of a requestId, by client and requestId. */
  readonly #newest = new Map<string, SeenOrder>()

  get(orderId: string): SeenOrder | undefined {
    return this.#orders.get(orderId)
  }

  newestOf(clientId: string | null, requestId: string | null): SeenOrder | undefined {
    return this.#newest.get(keyOf(clientId, requestId))
  }

  add(order: SeenMembers): SeenOrder {
    const seen = new SeenOrder(order)
    this.#orders.set(order.orderId, seen)
    this.#newest.set(seen.key, seen)
    if (this.#orders.size > mostOrders) {
      const [oldest] = this.#orders
      if (oldest !== undefined) this.#forget(...oldest)
    }
    return seen
  }

  #forget(orderId: string, seen: SeenOrder): void {
    this.#orders.delete(orderId)
    if (this.#newest.get(seen.key) === seen) this.#newest.delete(seen.key)
  }
}

const keyOf = (clientId: string | null, requestId: string | null): string =>
  JSON.stringify([clientId, requestId])

/** The names of what is true. */
export function namesOf(facts: Readonly<Record<string, boolean>>): string[] {
  const names: string[] = []
  for (const name in facts) if (facts[name]) names.push(name)
  return names
}
