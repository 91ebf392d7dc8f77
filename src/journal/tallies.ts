import type { Decision } from '../domain/order/decision.ts'
import type { FeedEvent } from './feed.ts'

/** Counts by labels from small sets. A scenario may invent words, so the number of label sets is bounded, and
 *  further ones are counted together. */
export class Counts<Name extends string> {
  readonly names: readonly Name[]
  readonly #most: number
  readonly #counts = new Map<string, { readonly values: readonly string[]; count: number }>()

  constructor(names: readonly Name[], most = 1_000) {
    this.names = names
    this.#most = most
  }

  /** Counts one event, with label values in the order of the names. */
  add(...values: readonly string[]): void {
    const key = values.join('\0')
    const known = this.#counts.get(key)
    if (known !== undefined) known.count += 1
    else if (this.#counts.size < this.#most || values.every((value) => value === 'other'))
      this.#counts.set(key, { values, count: 1 })
    else this.add(...this.names.map(() => 'other'))
  }

  entries(): { readonly values: readonly string[]; readonly count: number }[] {
    return [...this.#counts.values()]
  }
}

/** Counts values by upper bounds, and sums them. */
export class Histogram {
  readonly bounds: readonly number[]
  /** The count below each bound, and a last one for larger values. */
  readonly #counts: number[]
  #sum = 0

  /** @param bounds the inclusive upper bounds, in ascending order */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    const found = this.bounds.findIndex((bound) => value <= bound)
    const place = found === -1 ? this.bounds.length : found
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += value
  }

  /** The cumulative counts for each bound, and for all values. */
  get upTo(): number[] {
    let sum = 0
    return this.#counts.map((count) => {
      sum += count
      return sum
    })
  }

  get sum(): number {
    return this.#sum
  }
}

/** Counts the events of the feed, in all and by client. */
export class Tallies {
  readonly all = new Tally()
  readonly #ofClients = new Map<string, Tally>()

  readonly listen = (event: FeedEvent): void => {
    this.all.count(event)
    const clientId = clientOf(event)
    if (clientId !== null) this.of(clientId).count(event)
  }

  of(clientId: string): Tally {
    const known = this.#ofClients.get(clientId)
    if (known !== undefined) return known
    const tally = new Tally()
    this.#ofClients.set(clientId, tally)
    return tally
  }

  /** Forgets the counts of a removed client, or of all; their events stay in the total. */
  forget(clientId?: string): void {
    if (clientId === undefined) this.#ofClients.clear()
    else this.#ofClients.delete(clientId)
  }
}

/** The client of a counted event; null for an event without a client. */
export function clientOf(event: FeedEvent): string | null {
  switch (event.type) {
    case 'order':
      return event.decision.order.clientId
    case 'attempt':
    case 'skipped':
      return event.delivery.clientId
    case 'request':
      return event.entry.clientId
    default:
      return null
  }
}

type Attempted = Extract<FeedEvent, { readonly type: 'attempt' }>

const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const latenessBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Counts of events since the start of the process. No label holds an id or the name of a client. */
export class Tally {
  readonly ordersCreated = new Counts(['kind'])
  /** Counts the status changes of orders. */
  readonly transitions = new Counts(['kind', 'what', 'to'])
  readonly requests = new Counts(['operation', 'status'])
  /** Counts refused calls by the cause in their diagnosis. */
  readonly refusals = new Counts(['cause'])
  readonly attempts = new Counts(['outcome'])
  /** Ended deliveries by status: delivered, dead or skipped. */
  readonly deliveriesEnded = new Counts(['status'])
  /** The wall-clock seconds from the claim of an attempt to its result. */
  readonly attemptSeconds = new Histogram(durationBounds)
  /** Seconds on the client's clock from the due time of a delivery to its first attempt. */
  readonly latenessSeconds = new Histogram(latenessBounds)

  count(event: FeedEvent): void {
    if (event.type === 'order') this.#order(event.decision)
    else if (event.type === 'attempt') this.#attempt(event)
    else if (event.type === 'skipped') this.deliveriesEnded.add('skipped')
    else if (event.type === 'request') {
      const { operation, status, diagnosis } = event.entry
      // Status 0: a fault closed the connection without an answer.
      this.requests.add(operation ?? 'unknown', status === 0 ? 'none' : String(status))
      if (diagnosis !== null) this.refusals.add(diagnosis.cause)
    }
  }

  #order({ order, history }: Decision): void {
    const { kind } = order
    if (order.version === 1) this.ordersCreated.add(kind)
    for (const { what, from, to } of history) {
      // A failed refund has an error code here instead of a status.
      if (from === undefined || to === undefined || what === 'refund error') continue
      // Counted without its number: `refund 2` is the second refund of its order.
      this.transitions.add(kind, what.startsWith('refund ') ? 'refund' : what, to)
    }
  }

  #attempt({ delivery, at, result }: Attempted): void {
    this.attempts.add(result.outcome)
    this.attemptSeconds.add(result.ms / 1000)
    if (result.next.status !== 'pending') this.deliveriesEnded.add(result.next.status)
    if (delivery.attempt === 1 && delivery.dueAt !== null)
      this.latenessSeconds.add(Math.max(0, at - delivery.dueAt) / 1000)
  }
}
