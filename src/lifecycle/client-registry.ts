import type { Client } from '../domain/client.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import { ClientTokens } from './client-tokens.ts'

/** Who is there, with what tokens: what is kept in memory of the store's clients. Changes nothing in the store. */
export class ClientRegistry {
  readonly #clients = new Map<string, Client>()
  readonly tokens: ClientTokens

  constructor({ store, now }: { store: Store; now: (clientId: string) => EpochMs }) {
    this.tokens = new ClientTokens({ store, find: (clientId) => this.find(clientId), now })
  }

  get count(): number {
    return this.#clients.size
  }

  find(clientId: string): Client | undefined {
    return this.#clients.get(clientId)
  }

  /** The first few of them. */
  some(limit: number): Client[] {
    const first: Client[] = []
    for (const client of this.#clients.values()) {
      if (first.length === limit) break
      first.push(client)
    }
    return first
  }

  all(): Client[] {
    return [...this.#clients.values()]
  }

  /** Takes up a client, or what has become of it. */
  remember(client: Client): void {
    const before = this.#clients.get(client.clientId)
    if (before !== undefined) this.tokens.forgetOwn(before)
    this.#clients.set(client.clientId, client)
    this.tokens.rememberOwn(client)
  }

  forget(clientId: string): void {
    const client = this.#clients.get(clientId)
    if (client !== undefined) this.tokens.forgetOwn(client)
    this.#clients.delete(clientId)
    this.forgetTokens(clientId)
  }

  /** Forgets the tokens that were given out, of one client or of all, and what scenarios have made of the others. */
  forgetTokens(clientId?: string): void {
    this.tokens.forgetIssued(clientId)
    for (const client of this.#clients.values()) {
      if (clientId !== undefined && clientId !== client.clientId) continue
      this.#clients.set(client.clientId, { ...client, ownTokenExpired: false, tokensRefusedUntil: null })
    }
  }
}
