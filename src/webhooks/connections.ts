/** Sockets to one origin, so that a hung endpoint never takes more (and never another endpoint's). */
export const connectionsPerOrigin = 16

/** Who uses how many connections to which origin, and who waits for one. */
export class Connections {
  readonly #wake: (clientId: string) => void
  readonly #used = new Map<string, number>()
  /** Clients with something due, and the origin that has no connection free for them. */
  readonly #waiting = new Map<string, string>()
  #freed = Promise.withResolvers<void>()

  constructor(wake: (clientId: string) => void) {
    this.#wake = wake
  }

  /** Resolves as soon as any connection is free again. */
  get freed(): Promise<void> {
    return this.#freed.promise
  }

  isWaiting(clientId: string): boolean {
    return this.#waiting.has(clientId)
  }

  leaveQueue(clientId: string): void {
    this.#waiting.delete(clientId)
  }

  /** Takes all free connections to an origin. Without any it answers 0, and the client is woken as soon as one is
   *  given back. */
  take(origin: string, clientId: string): number {
    const used = this.#used.get(origin) ?? 0
    const free = connectionsPerOrigin - used
    if (free > 0) this.#used.set(origin, connectionsPerOrigin)
    else this.#waiting.set(clientId, origin)
    return free
  }

  giveBack(origin: string, connections: number): void {
    if (connections === 0) return
    const used = (this.#used.get(origin) ?? 0) - connections
    if (used > 0) this.#used.set(origin, used)
    else this.#used.delete(origin)
    for (const [clientId, wanted] of this.#waiting) if (wanted === origin) this.#wake(clientId)
    const { resolve } = this.#freed
    this.#freed = Promise.withResolvers<void>()
    resolve()
  }
}
