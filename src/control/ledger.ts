import type { EpochMs } from '../domain/time.ts'
import type { Feed, FeedEvent } from '../journal/feed.ts'

interface Transition {
  readonly at: EpochMs
  readonly orderId: string
  readonly requestId: string
  readonly clientId: string
  readonly what: string
  readonly from: string
  readonly to: string
}

interface DeliveryLine {
  readonly at: EpochMs
  readonly deliveryId: string
  readonly requestId: string
  readonly orderStatus: string
  readonly attempt: number
  readonly outcome: string
  readonly status: number | null
}

/** What happened while clocks walked. Sorted by time, requestId and order of commit, not by arrival, so that two
 *  runs of one test give the same ledger. */
export interface LedgerLists {
  readonly transitions: readonly Transition[]
  readonly deliveries: readonly DeliveryLine[]
  /** How many lines each list lacks at its end, if any. They happened all the same. */
  readonly truncated?: { readonly transitions: number; readonly deliveries: number }
}

/** Of each list. A subscription that is walked through a thousand years has more to tell than anybody reads, and than
 *  the process should hold. */
const mostLines = 50_000

/** Writes down what the feed tells of some clients, from `begin` until `end`. */
export class LedgerWriter {
  readonly #clientIds: ReadonlySet<string>
  readonly #feed: Feed
  readonly #transitions: Transition[] = []
  readonly #deliveries: { line: DeliveryLine; place: readonly [string, number] }[] = []
  readonly #truncated = { transitions: 0, deliveries: 0 }
  #stop: (() => void) | undefined

  constructor(feed: Feed, clientIds: readonly string[]) {
    this.#feed = feed
    this.#clientIds = new Set(clientIds)
  }

  begin(): void {
    this.#stop = this.#feed.listen((event) => this.#write(event))
  }

  end(): LedgerLists {
    this.#stop?.()
    const deliveries = this.#deliveries.toSorted(
      (a, b) =>
        a.line.at - b.line.at ||
        compare(a.line.requestId, b.line.requestId) ||
        compare(a.place[0], b.place[0]) ||
        a.place[1] - b.place[1] ||
        // Copies of one moment: numbered by their ids.
        a.line.deliveryId.length - b.line.deliveryId.length ||
        compare(a.line.deliveryId, b.line.deliveryId) ||
        a.line.attempt - b.line.attempt,
    )
    return {
      // Commits of one order arrive in their order, and sorting keeps it.
      transitions: this.#transitions.toSorted((a, b) => a.at - b.at || compare(a.requestId, b.requestId)),
      deliveries: deliveries.map(({ line }) => line),
      ...(this.#truncated.transitions + this.#truncated.deliveries > 0 && { truncated: this.#truncated }),
    }
  }

  #write(event: FeedEvent): void {
    if (event.type === 'order' && this.#clientIds.has(event.decision.order.clientId)) {
      const { orderId, requestId, clientId } = event.decision.order
      for (const { at, what, from, to } of event.decision.history) {
        if (from === undefined || to === undefined) continue
        if (this.#transitions.length === mostLines) this.#truncated.transitions += 1
        else this.#transitions.push({ at, orderId, requestId, clientId, what, from, to })
      }
    }
    if (event.type === 'attempt' && this.#clientIds.has(event.delivery.clientId)) {
      const { id, requestId, orderStatus, attempt, orderId, sequence } = event.delivery
      const { outcome, status } = event.result
      const line = { at: event.at, deliveryId: id, requestId, orderStatus, attempt, outcome, status }
      if (this.#deliveries.length === mostLines) this.#truncated.deliveries += 1
      else this.#deliveries.push({ line, place: [orderId, sequence] })
    }
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
