import type { Answer, Exchange } from './exchange.ts'

/** The attempts of one client that are in flight, up to a reset. */
export interface Batch {
  count: number
  readonly exchanges: Set<Exchange>
}

/** Counts the attempts in flight, by client. A reset of a client drops its batch, and the answers of that batch no
 *  longer count: a delivery after the reset may have the same id, because ids follow from the seed and the requests,
 *  and the store could not tell the two apart. */
export class InFlight {
  readonly #batches = new Map<string, Batch>()

  get size(): number {
    return this.#batches.size
  }

  has(clientId: string): boolean {
    return this.#batches.has(clientId)
  }

  /** The client's current batch, with one place taken for the caller. */
  acquire(clientId: string): Batch {
    const batch = this.#batches.get(clientId) ?? { count: 0, exchanges: new Set() }
    batch.count += 1
    this.#batches.set(clientId, batch)
    return batch
  }

  /** Returns a place that `acquire` gave. */
  release(clientId: string, batch: Batch): void {
    batch.count -= 1
    if (batch.count === 0 && this.#batches.get(clientId) === batch) this.#batches.delete(clientId)
  }

  /** Whether the client was reset since the batch began. */
  isDropped(clientId: string, batch: Batch): boolean {
    return this.#batches.get(clientId) !== batch
  }

  /** Resolves with the answer to a POST of the batch; null if the batch was dropped. */
  answer(exchange: Exchange, clientId: string, batch: Batch): Promise<Answer | null> {
    batch.exchanges.add(exchange)
    return exchange.answer.then((answer) => {
      batch.exchanges.delete(exchange)
      return this.isDropped(clientId, batch) ? null : answer
    })
  }

  /** Cuts all attempts in flight, of one client or of all. */
  drop(clientId?: string): void {
    const dropped = clientId === undefined ? this.#batches.keys() : [clientId]
    for (const each of dropped) {
      for (const exchange of this.#batches.get(each)?.exchanges ?? []) exchange.cut()
      this.#batches.delete(each)
    }
  }
}
