/** The limit of connections to one origin, so that a hung endpoint never takes more (and never another endpoint's). */
export const connectionsPerOrigin = 16

/** Shares the connections of each origin among clients. Clients that send to one origin (tests in parallel often
 *  share a receiver) get equal shares. */
export class Connections {
  readonly #wake: (clientId: string) => void
  /** The numbers of used connections, by origin, then by client. */
  readonly #used = new Map<string, Map<string, number>>()
  /** Clients with due deliveries, and the origin without a free connection for them. */
  readonly #waiting = new Map<string, string>()
  /** Resolved at the next release; null if nothing waits for one. */
  #freed: PromiseWithResolvers<void> | null = null

  constructor(wake: (clientId: string) => void) {
    this.#wake = wake
  }

  /** Resolves as soon as a connection is free, or no longer waited for. */
  get freed(): Promise<void> {
    this.#freed ??= Promise.withResolvers()
    return this.#freed.promise
  }

  isWaiting(clientId: string): boolean {
    return this.#waiting.has(clientId)
  }

  leaveQueue(clientId: string): void {
    this.#waiting.delete(clientId)
  }

  /** Ends a client's wait, because it has nothing to send any more, and notifies the waiting callers. */
  stopWaiting(clientId: string): void {
    if (this.#waiting.delete(clientId)) this.notifyFreed()
  }

  /** Takes the rest of the client's share of an origin's connections. Returns 0 if nothing is left; the client is
   *  then woken at the next release. */
  acquire(origin: string, clientId: string): number {
    const users = this.#used.get(origin) ?? new Map<string, number>()
    const mine = users.get(clientId) ?? 0
    const free = connectionsPerOrigin - [...users.values()].reduce((sum, used) => sum + used, 0)
    const taken = Math.max(0, Math.min(free, this.#share(origin, clientId, users) - mine))
    if (taken === 0) this.#waiting.set(clientId, origin)
    else {
      users.set(clientId, mine + taken)
      this.#used.set(origin, users)
    }
    return taken
  }

  release(origin: string, clientId: string, connections: number): void {
    const users = this.#used.get(origin)
    if (connections === 0 || users === undefined) return
    const left = (users.get(clientId) ?? 0) - connections
    if (left > 0) users.set(clientId, left)
    else users.delete(clientId)
    if (users.size === 0) this.#used.delete(origin)
    for (const each of this.#waitingFor(origin)) this.#wake(each)
    this.notifyFreed()
  }

  /** Resolves `freed`; also called when a webhook sent by hand has ended. */
  notifyFreed(): void {
    const freed = this.#freed
    this.#freed = null
    freed?.resolve()
  }

  #share(origin: string, clientId: string, users: ReadonlyMap<string, number>): number {
    const clients = new Set([...users.keys(), ...this.#waitingFor(origin), clientId])
    return Math.max(1, Math.floor(connectionsPerOrigin / clients.size))
  }

  /** The clients that wait for a connection to an origin. */
  #waitingFor(origin: string): string[] {
    return [...this.#waiting].flatMap(([clientId, wanted]) => (wanted === origin ? [clientId] : []))
  }
}
