import { randomBytes } from 'node:crypto'
import type { Client, Generation, IssuedToken } from '../domain/client/client.ts'
import { KnownSecrets } from '../domain/journal/known-secrets.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Store } from '../store/store.ts'

/** An in-memory index of clients and tokens. Never writes to the store. */
export class ClientRegistry {
  readonly #clients = new Map<string, Client>()
  readonly tokens: ClientTokens
  /** The secrets of all clients, for masking. */
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

  /** Adds or updates a client. */
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

  /** Forgets issued tokens and scenario effects after a client was reset. */
  emptied(clientId: string): void {
    const client = this.#clients.get(clientId)
    if (client === undefined) return
    this.tokens.forgetIssued(clientId)
    this.#clients.set(clientId, { ...client, ownTokenExpired: false, tokensRefusedUntil: null })
  }

  /** Hides the secrets of a client as it is now, and no longer its former ones. */
  #hide(before: Client | undefined, now: Client | undefined): void {
    const old = before === undefined ? [] : secretsOf(before)
    const secrets = now === undefined ? [] : secretsOf(now)
    // Most changes of a client do not touch its secrets.
    if (old.length === secrets.length && old.every((secret, index) => secret === secrets[index])) return
    if (before !== undefined) for (const secret of old) this.secrets.remove(secret, before.clientId)
    if (now !== undefined) for (const secret of secrets) this.secrets.add(secret, now.clientId)
  }
}

const secretsOf = ({ apiSecret, accessToken, webhookSecret, previousWebhookSecret }: Client): string[] => [
  apiSecret,
  accessToken,
  ...[webhookSecret, previousWebhookSecret?.secret ?? []].flat().map((each) => each.replace(/^whsec_/, '')),
]

/** The owner of a token, or the reason why it has none. */
export type TokenOwner =
  | { client: Client }
  | { expired: string; since: EpochMs | null; now: EpochMs }
  | { refused: string; until: EpochMs; now: EpochMs }
  | null

/** The access tokens by client: own tokens and issued tokens (N64a, N64b). */
export class ClientTokens {
  readonly #find: (clientId: string) => Client | undefined
  readonly #now: (clientId: string) => EpochMs
  readonly #own = new Map<string, string>()
  readonly #issued: IssuedTokens

  constructor(context: {
    store: Store
    find: (clientId: string) => Client | undefined
    now: (clientId: string) => EpochMs
  }) {
    this.#find = context.find
    this.#now = context.now
    this.#issued = new IssuedTokens(context.store)
  }

  /** Adds the permanent access token of a client, which its configuration sets, to the index of tokens. */
  rememberOwn({ accessToken, clientId }: Client): void {
    this.#own.set(accessToken, clientId)
  }

  forgetOwn({ accessToken }: Client): void {
    this.#own.delete(accessToken)
  }

  /** Adds tokens that were loaded from the store. */
  rememberIssued(tokens: readonly IssuedToken[]): void {
    this.#issued.remember(tokens)
  }

  /** Whether tokens were issued to a client; null asks for any client. */
  isGiven(clientId: string | null): boolean {
    return this.#issued.has(clientId)
  }

  /** Returns the client to which a token was issued. */
  givenTo(token: string): string | undefined {
    return this.#issued.find(token)?.clientId
  }

  /** Forgets a client's issued tokens after the store removed them. */
  forgetIssued(clientId: string): void {
    this.#issued.forget(clientId)
  }

  /** Makes a client's tokens expire at `at` unless they have expired before; the store has done so already. */
  expireIssued(clientId: string, at: EpochMs): void {
    this.#issued.expire(clientId, at)
  }

  /** Issues a token.
   *  @param isOnly ends all tokens that were issued to the client before (N79)
   *  @throws world_ended */
  async issue(
    clientId: string,
    { lifetimeMs, isOnly }: { lifetimeMs: number; isOnly: boolean },
    generation: Generation,
  ): Promise<string> {
    const now = this.#now(clientId)
    const token = randomBytes(32).toString('base64url')
    await this.#issued.add({ token, clientId, expiresAt: now + lifetimeMs }, { now, isOnly, generation })
    return token
  }

  /** Whether a token was issued. */
  wasIssued(token: string): boolean {
    return this.#issued.find(token) !== undefined
  }

  /** Returns the clientId of a token, even of an expired one. */
  holderOf(token: string): string | undefined {
    return this.#own.get(token) ?? this.#issued.find(token)?.clientId
  }

  /** Returns the client that currently owns a token. */
  ownerOf(token: string): TokenOwner {
    const own = this.#own.get(token)
    const issued = own === undefined ? this.#issued.find(token) : undefined
    const client = this.#find(own ?? issued?.clientId ?? '')
    if (client === undefined) return null
    const { clientId, ownTokenExpired, tokensRefusedUntil } = client
    // The clock is only read if the token can have expired.
    if (issued === undefined && !ownTokenExpired && tokensRefusedUntil === null) return { client }
    const now = this.#now(clientId)
    if (tokensRefusedUntil !== null && now < tokensRefusedUntil)
      return { refused: clientId, until: tokensRefusedUntil, now }
    const expired = issued === undefined ? ownTokenExpired : now >= issued.expiresAt
    return expired ? { expired: clientId, since: issued?.expiresAt ?? null, now } : { client }
  }
}

/** How long an expired token is distinguished from an unknown one. */
const rememberedMs = 86_400_000

/** An in-memory index of the tokens that the access token API issued (N64a, N64b). */
class IssuedTokens {
  readonly #store: Store
  readonly #tokens = new Map<string, IssuedToken>()
  /** The tokens of each client, so that no search goes through all. */
  readonly #byClient = new Map<string, Set<string>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Adds tokens that were loaded from the store. */
  remember(tokens: readonly IssuedToken[]): void {
    for (const issued of tokens) {
      this.#tokens.set(issued.token, issued)
      const own = this.#byClient.get(issued.clientId) ?? new Set()
      this.#byClient.set(issued.clientId, own.add(issued.token))
    }
  }

  find(token: string): IssuedToken | undefined {
    return this.#tokens.get(token)
  }

  /** Whether a client has any token; null asks for any client. */
  has(clientId: string | null): boolean {
    return clientId === null ? this.#tokens.size > 0 : (this.#byClient.get(clientId)?.size ?? 0) > 0
  }

  /** Stores a token, and removes those of its client that expired long before `now`.
   *  @param isOnly ends the other tokens of the client now
   *  @throws world_ended */
  async add(
    issued: IssuedToken,
    { now, isOnly, generation }: { now: EpochMs; isOnly: boolean; generation: Generation },
  ): Promise<void> {
    const before = now - rememberedMs
    await this.#store.saveToken(issued, generation, before, isOnly ? now : undefined)
    if (isOnly) this.expire(issued.clientId, now)
    this.remember([issued])
    const old = this.#of(issued.clientId).filter(({ expiresAt }) => expiresAt < before)
    for (const { token } of old) this.#drop(issued.clientId, token)
  }

  /** Makes a client's tokens expire at `at` unless they have expired before; the store has done so already. */
  expire(clientId: string, at: EpochMs): void {
    for (const issued of this.#of(clientId)) {
      if (issued.expiresAt > at) this.#tokens.set(issued.token, { ...issued, expiresAt: at })
    }
  }

  /** Forgets a client's tokens after the store removed them. */
  forget(clientId: string): void {
    for (const token of this.#byClient.get(clientId) ?? []) this.#tokens.delete(token)
    this.#byClient.delete(clientId)
  }

  #of(clientId: string): IssuedToken[] {
    return [...(this.#byClient.get(clientId) ?? [])].flatMap((token) => this.#tokens.get(token) ?? [])
  }

  #drop(clientId: string, token: string): void {
    this.#tokens.delete(token)
    this.#byClient.get(clientId)?.delete(token)
  }
}
