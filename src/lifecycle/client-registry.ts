import type { Client } from '../domain/client.ts'
import { KnownSecrets } from '../domain/known-secrets.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'
import { ClientTokens } from './client-tokens.ts'

/** Who is there, with what tokens: what is kept in memory of the store's clients. Changes nothing in the store. */
export class ClientRegistry {
  readonly #clients = new Map<string, Client>()
  readonly tokens: ClientTokens
  /** What is secret of them. */
  readonly secrets = new KnownSecrets({
    givenTo: (token) => this.tokens.givenTo(token),
    isGiven: (clientId) => this.tokens.isGiven(clientId),
  })

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
    this.#hide(before, client)
    this.#clients.set(client.clientId, client)
    this.tokens.rememberOwn(client)
  }

  forget(clientId: string): void {
    const client = this.#clients.get(clientId)
    if (client === undefined) return
    this.tokens.forgetIssued(clientId)
    this.tokens.forgetOwn(client)
    this.#hide(client, undefined)
    this.#clients.delete(clientId)
  }

  /** The client's world has been emptied: the tokens that were given out are gone, and what scenarios have made of its
   *  own. */
  emptied(clientId: string): void {
    const client = this.#clients.get(clientId)
    if (client === undefined) return
    this.tokens.forgetIssued(clientId)
    this.#clients.set(clientId, { ...client, ownTokenExpired: false, tokensRefusedUntil: null })
  }

  /** Hides what is secret of a client as it is now, and no longer what was before. */
  #hide(before: Client | undefined, now: Client | undefined): void {
    const old = before === undefined ? [] : secretsOf(before)
    const secrets = now === undefined ? [] : secretsOf(now)
    // Most changes of a client are of something else.
    if (old.length === secrets.length && old.every((secret, index) => secret === secrets[index])) return
    if (before !== undefined) for (const secret of old) this.secrets.remove(secret, before.clientId)
    if (now !== undefined) for (const secret of secrets) this.secrets.add(secret, now.clientId)
  }
}

const secretsOf = ({ apiSecret, accessToken, webhookSecret }: Client): string[] => [
  apiSecret,
  accessToken,
  webhookSecret.replace(/^whsec_/, ''),
]
