import { likelyTypo } from '../../domain/order/statuses.ts'
import { type Difference, differences, type Members, type Where } from '../../domain/text/where.ts'
import type { Resource, WatchedKind } from './observation.ts'

const mostMisses = 5
const shownCharacters = 200

/** An item that almost matches a query, with its differences. */
export interface NearMiss {
  readonly id: string
  readonly clientId: string | null
  readonly requestId: string | null
  /** The operation of the call; only requests have one. */
  readonly operation?: string | null
  readonly differs: readonly Difference[]
}

/** Collects the items that differ in the fewest fields. Among equals, the first added stay. */
export class NearestMisses {
  readonly #kind: WatchedKind
  readonly #where: Where
  readonly #fitting: boolean
  #nearest: NearMiss[] = []

  /** @param fitting whether to collect matching items instead of near misses */
  constructor(kind: WatchedKind, where: Where, fitting = false) {
    this.#kind = kind
    this.#where = where
    this.#fitting = fitting
  }

  /** Adds an item if it is among the nearest, in place of the farthest. */
  add(thing: Resource): void {
    const members = thing.members()
    const differs = differences(this.#where, members)
    if ((differs.length === 0) !== this.#fitting) return
    const farthest = this.#nearest[mostMisses - 1]
    if (farthest !== undefined && farthest.differs.length <= differs.length) return
    this.#nearest = [...this.#nearest, nearMiss(this.#kind, members, differs)]
      .toSorted((one, other) => one.differs.length - other.differs.length)
      .slice(0, mostMisses)
  }

  get list(): readonly NearMiss[] {
    return this.#nearest
  }
}

function nearMiss(kind: WatchedKind, members: Members, differs: readonly Difference[]): NearMiss {
  return {
    id: text(members[kind === 'order' ? 'orderId' : 'id']) ?? '',
    clientId: text(members.clientId),
    requestId: text(members.requestId),
    ...(kind === 'request' ? { operation: text(members.operation) } : {}),
    differs: differs.map((each) => ({ ...each, found: shortened(each.found) })),
  }
}

/** Describes likely typos in the query, then the nearest item, as the end of an error message. */
export function nearestInWords([nearest]: readonly NearMiss[], asked: Where): string {
  const slips = slipsIn(asked)
    .map((slip) => ` ${slip}`)
    .join('')
  if (nearest === undefined) return `${slips} There is none at all.`
  const { id, differs } = nearest
  const found = differs.map((each) => `${each.member} is ${JSON.stringify(each.found)}`)
  return `${slips} The nearest, ${id}, differs: ${found.join(', ')}.`
}

/** A query may ask for any status, because the service may use undocumented ones. Only the message mentions a likely
 *  typo. */
function slipsIn(asked: Where): string[] {
  return Object.entries(asked).flatMap(([member, wanted]) => {
    const slip = /Status$/.test(member) && typeof wanted === 'string' ? likelyTypo(wanted) : undefined
    return slip === undefined ? [] : [slip]
  })
}

/** Restores the caller's wording of each wanted value.
 *  @see spelledOut */
export function inQueryWords(misses: readonly NearMiss[], asked: Where): NearMiss[] {
  return misses.map((miss) => ({
    ...miss,
    differs: miss.differs.map((each) => ({ ...each, wanted: asked[each.member] ?? null })),
  }))
}

/** Describes a `where` for an error message. */
export function whereInWords(where: Where): string {
  const wanted = Object.entries(where).map(([member, value]) => `${member} ${JSON.stringify(value)}`)
  return wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function shortened(value: unknown): unknown {
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  return written.length <= shownCharacters ? value : `${written.slice(0, shownCharacters)}…`
}
