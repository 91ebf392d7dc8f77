import type { Answer, Exchange } from './exchange.ts'

/** What a client has in flight. */
export interface Flight {
  count: number
  readonly exchanges: Set<Exchange>
}

/** What is in flight, by client. Emptying a client's world replaces its flight, and what was in flight then no
 *  longer counts: the new world may have a delivery of the same id, because ids follow from the seed and the
 *  requests, and the store's fence could not tell the two apart. */
export class Flights {
  readonly #flights = new Map<string, Flight>()

  get size(): number {
    return this.#flights.size
  }

  has(clientId: string): boolean {
    return this.#flights.has(clientId)
  }

  /** The client's flight, with one place taken in it for the caller. */
  board(clientId: string): Flight {
    const flight = this.#flights.get(clientId) ?? { count: 0, exchanges: new Set() }
    flight.count += 1
    this.#flights.set(clientId, flight)
    return flight
  }

  /** Gives the place back. */
  land(clientId: string, flight: Flight): void {
    flight.count -= 1
    if (flight.count === 0 && this.#flights.get(clientId) === flight) this.#flights.delete(clientId)
  }

  /** Whether the world that this flight began in has been emptied. */
  isDropped(clientId: string, flight: Flight): boolean {
    return this.#flights.get(clientId) !== flight
  }

  /** The answer to a POST of the flight; null if nobody wants it any more. */
  answer(exchange: Exchange, clientId: string, flight: Flight): Promise<Answer | null> {
    flight.exchanges.add(exchange)
    return exchange.answer.then((answer) => {
      flight.exchanges.delete(exchange)
      return this.isDropped(clientId, flight) ? null : answer
    })
  }

  /** Cuts what is in flight, of one client or of all. */
  drop(clientId?: string): void {
    const dropped = clientId === undefined ? this.#flights.keys() : [clientId]
    for (const each of dropped) {
      for (const exchange of this.#flights.get(each)?.exchanges ?? []) exchange.cut()
      this.#flights.delete(each)
    }
  }
}
