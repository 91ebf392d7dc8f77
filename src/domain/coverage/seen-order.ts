import type { JournalEntry } from '../journal/entry.ts'
import type { Decision } from '../order/decision.ts'
import type { Order } from '../order/order.ts'
import { statuses } from '../order/statuses.ts'
import type { EpochMs } from '../text/time.ts'
import type { AttemptResult, NewDelivery } from '../webhook/delivery.ts'
import type { ReadingSettings } from '../webhook/read-events.ts'

/** The events of the feed from which coverage is derived. */
export type CoverageEvent =
  | { readonly type: 'order'; readonly decision: Decision }
  | { readonly type: 'claimed'; readonly deliveries: readonly Attempted[] }
  | AttemptEvent
  | { readonly type: 'skipped' }
  | { readonly type: 'request'; readonly entry: JournalEntry }

/** A webhook with the number of its attempt. */
export type Attempted = NewDelivery & { readonly attempt: number }

/** The end of a webhook's attempt. */
export interface AttemptEvent {
  readonly type: 'attempt'
  readonly delivery: Attempted
  readonly url: string
  readonly at: EpochMs
  readonly result: AttemptResult
  /** The settings by which the body is read. */
  readonly settings: ReadingSettings
  /** Whether it carried more than one signature. */
  readonly severalSignatures?: boolean | undefined
}

/** The sections of a coverage report. */
export const sections = ['hazards', 'answers', 'statuses', 'transitions', 'errorCodes', 'attempts'] as const
export type Section = (typeof sections)[number]

/** An item of the coverage report, with how often it was met. */
export interface Met {
  readonly section: Section
  readonly name: string
  readonly count: number
}

const known: ReadonlySet<string> = new Set(
  statuses.filter(({ of, from }) => of !== 'order' || from !== 'scenario').map(({ name }) => name),
)

/** Whether a status can occur without a special scenario: scenarios may also write statuses that the service does not
 *  document. */
export const isKnownStatus = (status: string): boolean => known.has(status)

type SeenMembers = Pick<Order, 'orderId' | 'clientId' | 'requestId' | 'orderStatus'>

/** A webhook that has arrived at its endpoint. */
interface SentWebhook {
  readonly deliveryId: string
  readonly at: EpochMs
  readonly accepted: boolean
}

/** The history of an order, as far as hazards depend on it. */
export class SeenOrder {
  /** The clientId and requestId of the order, joined. */
  readonly key: string
  status: string
  /** Whether the create call has been answered. */
  answered = false
  /** Whether the CREATED webhook is missing though one with the outcome was sent. */
  lacksCreated = false
  /** Whether a webhook with a final status has reached the endpoint. */
  finalSent = false
  /** The latest attempt of each webhook, by its `webhook-id`. */
  readonly sent = new Map<string, SentWebhook>()
  /** The `webhook-id` of the first webhook with a status, by status and type. */
  readonly idsByEvent = new Map<string, string>()
  /** The attempts in flight, by the id of their delivery. */
  readonly inFlight = new Map<string, Flying>()
  url: string | null = null

  constructor({ clientId, requestId, orderStatus }: SeenMembers) {
    this.key = keyOf(clientId, requestId)
    this.status = orderStatus
  }
}

/** An attempt in flight. */
export interface Flying {
  readonly orderStatus: string
  readonly webhookId: string
  /** Whether a final status had reached the endpoint before it left. */
  readonly afterFinal: boolean
  /** The other attempts that are in flight at the same time. */
  readonly beside: Flying[]
}

/** The maximum number of webhooks that are remembered for an order. */
const mostWebhooks = 200

/** Sets a value in a map, and removes the oldest one if there are too many. */
export function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > mostWebhooks && oldest !== undefined) map.delete(oldest)
}

/** The number of orders remembered; events of older ones only count by themselves. */
const mostOrders = 5_000

/** Remembers the orders of recent events. */
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

/** Lists the names of facts that are true. */
export function namesOf(facts: Readonly<Record<string, boolean>>): string[] {
  const names: string[] = []
  for (const name in facts) if (facts[name]) names.push(name)
  return names
}
