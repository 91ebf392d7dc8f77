import type { Afterwards } from '../time/afterwards.ts'
import type { FeedEvent } from './feed.ts'
import { Tally } from './tally.ts'

/** Counts what the feed tells: all of it, and what is of each client apart. No answer waits for the counting. */
export class Tallies {
  readonly #afterwards: Afterwards
  readonly #ofAll = new Tally()
  readonly #ofClients = new Map<string, Tally>()

  constructor(afterwards: Afterwards) {
    this.#afterwards = afterwards
  }

  readonly listen = (event: FeedEvent): void => this.#afterwards.do(() => this.#count(event))

  get all(): Tally {
    this.#afterwards.settle()
    return this.#ofAll
  }

  of(clientId: string): Tally {
    this.#afterwards.settle()
    return this.#of(clientId)
  }

  #count(event: FeedEvent): void {
    this.#ofAll.count(event)
    const clientId = clientOf(event)
    if (clientId !== null) this.#of(clientId).count(event)
  }

  #of(clientId: string): Tally {
    const known = this.#ofClients.get(clientId)
    if (known !== undefined) return known
    const tally = new Tally()
    this.#ofClients.set(clientId, tally)
    return tally
  }

  /** Forgets a client that is removed, or all of them; what they did stays counted in all. */
  forget(clientId?: string): void {
    this.#afterwards.settle()
    if (clientId === undefined) this.#ofClients.clear()
    else this.#ofClients.delete(clientId)
  }
}

/** Whose it is, of those events that are counted. */
function clientOf(event: FeedEvent): string | null {
  switch (event.type) {
    case 'order':
      return event.decision.order.clientId
    case 'attempt':
    case 'skipped':
      return event.delivery.clientId
    case 'request':
      return event.brief.clientId
    default:
      return null
  }
}
