import { randomBytes } from 'node:crypto'
import type { Client, Generation, IssuedToken } from '../domain/client/client.ts'
import { KnownSecrets } from '../domain/journal/known-secrets.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Store } from '../store/store.ts'

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

/** Whose token it is, or why it is nobody's. */
export type TokenOwner =
  | { client: Client }
  | { expired: string; since: EpochMs | null; now: EpochMs }
  | { refused: string; until: EpochMs; now: EpochMs }
  | null

/** Which access token is whose: the clients' own, and those that were given out (N64a, N64b). */
export class ClientTokens {
  readonly #find: (clientId: string) => Client | undefined
  readonly #now: (clientId: string) => EpochMs
  readonly #own = new Map<string, string>()
  readonly #issued: IssuedTokens

  constructor(around: {
    store: Store
    find: (clientId: string) => Client | undefined
    now: (clientId: string) => EpochMs
  }) {
    this.#find = around.find
    this.#now = around.now
    this.#issued = new IssuedTokens(around.store)
  }

  /** A client has this token as its own. */
  rememberOwn({ accessToken, clientId }: Client): void {
    this.#own.set(accessToken, clientId)
  }

  forgetOwn({ accessToken }: Client): void {
    this.#own.delete(accessToken)
  }

  /** Takes over tokens that the store has already. */
  rememberIssued(tokens: readonly IssuedToken[]): void {
    this.#issued.remember(tokens)
  }

  /** Whether a client has been given any; null for anybody. */
  isGiven(clientId: string | null): boolean {
    return this.#issued.has(clientId)
  }

  /** Whom a token was given out to. */
  givenTo(token: string): string | undefined {
    return this.#issued.find(token)?.clientId
  }

  /** Forgets what was given out to a client; the store has forgotten it already. */
  forgetIssued(clientId: string): void {
    this.#issued.forget(clientId)
  }

  /** Makes a client's tokens expire at `at`, those that have not yet; the store has done so already. */
  expireIssued(clientId: string, at: EpochMs): void {
    this.#issued.expire(clientId, at)
  }

  /** Gives out a token. @throws world_ended */
  async issue(clientId: string, lifetimeMs: number, generation: Generation): Promise<string> {
    const now = this.#now(clientId)
    const token = randomBytes(32).toString('base64url')
    await this.#issued.add({ token, clientId, expiresAt: now + lifetimeMs }, now, generation)
    return token
  }

  /** Whether a token was given out. */
  wasIssued(token: string): boolean {
    return this.#issued.find(token) !== undefined
  }

  /** The clientId that a token belongs to, expired or not. */
  holderOf(token: string): string | undefined {
    return this.#own.get(token) ?? this.#issued.find(token)?.clientId
  }

  /** Whose token this is at this moment. */
  ownerOf(token: string): TokenOwner {
    const own = this.#own.get(token)
    const issued = own === undefined ? this.#issued.find(token) : undefined
    const client = this.#find(own ?? issued?.clientId ?? '')
    if (client === undefined) return null
    const { clientId, ownTokenExpired, tokensRefusedUntil } = client
    // For most requests nobody has to ask what time it is.
    if (issued === undefined && !ownTokenExpired && tokensRefusedUntil === null) return { client }
    const now = this.#now(clientId)
    if (tokensRefusedUntil !== null && now < tokensRefusedUntil)
      return { refused: clientId, until: tokensRefusedUntil, now }
    const expired = issued === undefined ? ownTokenExpired : now >= issued.expiresAt
    return expired ? { expired: clientId, since: issued?.expiresAt ?? null, now } : { client }
  }
}

/** How long an expired token is still told from an unknown one. */
const rememberedMs = 86_400_000

/** The tokens that the access token API gave out, kept in memory over the store (N64a, N64b). */
class IssuedTokens {
  readonly #store: Store
  readonly #tokens = new Map<string, IssuedToken>()
  /** The texts of those of each client: nobody goes through those of all. */
  readonly #byClient = new Map<string, Set<string>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Takes over tokens that the store has already. */
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

  /** Whether a client has any; null for anybody. */
  has(clientId: string | null): boolean {
    return clientId === null ? this.#tokens.size > 0 : (this.#byClient.get(clientId)?.size ?? 0) > 0
  }

  /** Keeps a token, and forgets those of its client that expired long before `now`. @throws world_ended */
  async add(issued: IssuedToken, now: EpochMs, generation: Generation): Promise<void> {
    const before = now - rememberedMs
    await this.#store.saveToken(issued, generation, before)
    this.remember([issued])
    const old = this.#of(issued.clientId).filter(({ expiresAt }) => expiresAt < before)
    for (const { token } of old) this.#drop(issued.clientId, token)
  }

  /** Makes a client's tokens expire at `at`, those that have not yet; the store has done so already. */
  expire(clientId: string, at: EpochMs): void {
    for (const issued of this.#of(clientId)) {
      if (issued.expiresAt > at) this.#tokens.set(issued.token, { ...issued, expiresAt: at })
    }
  }

  /** Forgets a client's tokens; the store has forgotten them already. */
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
