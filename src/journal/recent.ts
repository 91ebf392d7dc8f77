import type { EpochMs } from '../domain/text/time.ts'
import type { AttemptOutcome } from '../domain/webhook/delivery.ts'
import type { FeedEvent } from './feed.ts'

/** An ended delivery attempt, as the overview shows it. */
export interface RecentAttempt {
  readonly deliveryId: string
  readonly clientId: string
  readonly requestId: string
  readonly orderStatus: string
  /** Counted from 1. */
  readonly n: number
  readonly url: string
  /** Its end on the client's clock. */
  readonly at: EpochMs
  readonly wallAt: EpochMs
  readonly outcome: AttemptOutcome
  readonly status: number | null
  /** Its duration, in wall-clock milliseconds. */
  readonly ms: number
}

/** The numbers of attempts and of failures that are kept. */
export const recentlyKept = { attempts: 60, failures: 100 }

/** A moment at which something failed, and whose it was. */
interface Failure {
  readonly wallAt: EpochMs
  readonly clientId: string | null
}

/** What happened of late to one client, or to all. */
export class Recent {
  /** The newest attempts, oldest first. */
  readonly attempts: RecentAttempt[] = []
  /** The newest attempts that were not accepted, oldest first. */
  readonly failedAttempts: Failure[] = []
  /** The newest refused calls, oldest first. */
  readonly refusedCalls: Failure[] = []
  /** The number of refused calls by the cause in their diagnosis, since the start or the last reset. */
  readonly refusals = new Map<string, number>()

  attempted(attempt: RecentAttempt): void {
    keep(this.attempts, attempt, recentlyKept.attempts)
    const { outcome, wallAt, clientId } = attempt
    if (outcome !== 'accepted') keep(this.failedAttempts, { wallAt, clientId }, recentlyKept.failures)
  }

  refused(cause: string, failure: Failure): void {
    this.refusals.set(cause, (this.refusals.get(cause) ?? 0) + 1)
    keep(this.refusedCalls, failure, recentlyKept.failures)
  }

  /** What is left without one client.
   *  @param own what is known about the client alone */
  without(clientId: string, own: Recent): Recent {
    const left = new Recent()
    const isOthers = (of: Pick<Failure, 'clientId'>) => of.clientId !== clientId
    left.attempts.push(...this.attempts.filter(isOthers))
    left.failedAttempts.push(...this.failedAttempts.filter(isOthers))
    left.refusedCalls.push(...this.refusedCalls.filter(isOthers))
    for (const [cause, count] of this.refusals) {
      const others = count - (own.refusals.get(cause) ?? 0)
      if (others > 0) left.refusals.set(cause, others)
    }
    return left
  }
}

function keep<Item>(list: Item[], item: Item, most: number): void {
  list.push(item)
  if (list.length > most) list.shift()
}

/** The latest webhook attempts and refusals, for all clients and for each: what the overview shows beside counts. They
 *  are kept in memory alone. */
export class RecentEvents {
  #all = new Recent()
  readonly #ofClients = new Map<string, Recent>()
  readonly #wall: () => EpochMs

  constructor(wall: () => EpochMs) {
    this.#wall = wall
  }

  /** What happened to a client; undefined for all clients. */
  of(clientId: string | undefined): Recent {
    return clientId === undefined ? this.#all : (this.#ofClients.get(clientId) ?? new Recent())
  }

  readonly listen = (event: FeedEvent): void => {
    if (event.type === 'attempt') {
      const { delivery, url, at, result } = event
      const { clientId, requestId, orderStatus, id: deliveryId, attempt: n } = delivery
      const { outcome, status, ms } = result
      const wallAt = this.#wall()
      const attempt = {
        deliveryId,
        clientId,
        requestId,
        orderStatus,
        n,
        url,
        at,
        wallAt,
        outcome,
        status,
        ms,
      }
      for (const recent of this.#concerned(clientId)) recent.attempted(attempt)
    }
    if (event.type === 'request' && event.entry.diagnosis !== null) {
      const { clientId, wallAt, diagnosis } = event.entry
      for (const recent of this.#concerned(clientId)) recent.refused(diagnosis.cause, { wallAt, clientId })
    }
  }

  /** Forgets a removed or reset client, or all. */
  forget(clientId?: string): void {
    if (clientId === undefined) {
      this.#all = new Recent()
      this.#ofClients.clear()
      return
    }
    this.#all = this.#all.without(clientId, this.of(clientId))
    this.#ofClients.delete(clientId)
  }

  #concerned(clientId: string | null): readonly Recent[] {
    if (clientId === null) return [this.#all]
    const own = this.of(clientId)
    this.#ofClients.set(clientId, own)
    return [this.#all, own]
  }
}
