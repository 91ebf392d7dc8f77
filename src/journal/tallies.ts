import type { FeedEvent } from './feed.ts'
import { Tally } from './tally.ts'

/** Counts what the feed tells: all of it, and what is of each client apart. */
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

  /** Forgets a client that is removed, or all of them; what they did stays counted in all. */
  forget(clientId?: string): void {
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
