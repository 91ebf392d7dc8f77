import type { Looked } from './look.ts'
import type { Sighting } from './sighting.ts'

/** Somebody who waits. */
export interface Waiter extends Looked {
  readonly found: (json: string) => void
  readonly giveUp: (error: unknown) => void
}

/** Those who wait, by what tells of them quickest: most name a whole requestId, so that an event concerns few of a
 *  thousand. */
export class Waiters {
  readonly #all = new Set<Waiter>()
  readonly #byRequestId = new Map<string, Set<Waiter>>()
  readonly #others = new Set<Waiter>()

  get size(): number {
    return this.#all.size
  }

  [Symbol.iterator](): Iterator<Waiter> {
    return this.#all.values()
  }

  has(waiter: Waiter): boolean {
    return this.#all.has(waiter)
  }

  add(waiter: Waiter): void {
    this.#all.add(waiter)
    const key = keyOf(waiter)
    if (key === null) this.#others.add(waiter)
    else this.#byRequestId.set(key, (this.#byRequestId.get(key) ?? new Set()).add(waiter))
  }

  remove(waiter: Waiter): void {
    this.#all.delete(waiter)
    this.#others.delete(waiter)
    const key = keyOf(waiter) ?? ''
    const same = this.#byRequestId.get(key)
    same?.delete(waiter)
    if (same?.size === 0) this.#byRequestId.delete(key)
  }

  /** Whom a thing may concern. */
  *concernedBy({ kind, known }: Sighting): Iterable<Waiter> {
    const { clientId, requestId } = known
    const lists =
      requestId === undefined
        ? [this.#all]
        : [this.#byRequestId.get(`${kind} ${requestId}`) ?? [], this.#others]
    for (const list of lists) {
      for (const waiter of list) {
        const isTheirs = waiter.clientId === undefined || waiter.clientId === clientId
        if (isTheirs && waiter.kind === kind) yield waiter
      }
    }
  }
}

function keyOf({ kind, where: { requestId } }: Waiter): string | null {
  return typeof requestId === 'string' && !requestId.endsWith('*') ? `${kind} ${requestId}` : null
}
