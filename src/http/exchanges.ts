import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** A request whose answer has not left yet. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** The requests that are under way, by the connections they came over. */
export class Exchanges {
  readonly #open = new Map<Duplex, Set<Exchange>>()
  readonly #latest = new WeakMap<Duplex, IncomingMessage>()
  #onNone = () => {}

  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    const exchange = { incoming, outgoing }
    this.#latest.set(socket, incoming)
    this.#open.set(socket, (this.#open.get(socket) ?? new Set()).add(exchange))
    outgoing.once('close', () => this.#end(socket, exchange))
  }

  /** Those of one connection, in their order: some callers do not wait for one answer before they ask again. */
  of(socket: Duplex): readonly Exchange[] {
    return [...(this.#open.get(socket) ?? [])]
  }

  /** The request that came last over a connection, answered or not. */
  latestOf(socket: Duplex): IncomingMessage | undefined {
    return this.#latest.get(socket)
  }

  /** Resolves once nothing is under way. */
  none(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }

  #end(socket: Duplex, exchange: Exchange): void {
    const open = this.#open.get(socket)
    open?.delete(exchange)
    if (open?.size !== 0) return
    this.#open.delete(socket)
    if (this.#open.size === 0) this.#onNone()
  }
}
