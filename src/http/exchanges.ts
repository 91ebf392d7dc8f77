import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** A request whose answer has not left yet. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** What came over one connection. */
interface Traffic {
  /** Under way, in their order. */
  open: Exchange[]
  latest: IncomingMessage
}

/** The requests that are under way, by the connections they came over. */
export class Exchanges {
  readonly #traffic = new WeakMap<Duplex, Traffic>()
  #count = 0
  #onNone = () => {}

  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    const exchange = { incoming, outgoing }
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) {
      this.#traffic.set(socket, { open: [exchange], latest: incoming })
    } else {
      traffic.open.push(exchange)
      traffic.latest = incoming
    }
    this.#count += 1
    outgoing.on('close', () => this.#end(socket, exchange))
  }

  /** Those of one connection, in their order: some callers do not wait for one answer before they ask again. */
  of(socket: Duplex): readonly Exchange[] {
    return [...(this.#traffic.get(socket)?.open ?? [])]
  }

  /** The request that came last over a connection, answered or not. */
  latestOf(socket: Duplex): IncomingMessage | undefined {
    return this.#traffic.get(socket)?.latest
  }

  /** Resolves once nothing is under way. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }

  #end(socket: Duplex, exchange: Exchange): void {
    const open = this.#traffic.get(socket)?.open ?? []
    const index = open.indexOf(exchange)
    // However often Node says so, it has ended once.
    if (index === -1) return
    open.splice(index, 1)
    this.#count -= 1
    if (this.#count === 0) this.#onNone()
  }
}
