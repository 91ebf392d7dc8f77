import { randomBytes } from 'node:crypto'
import type { Client, IssuedToken } from '../domain/client.ts'
import type { Generation } from '../domain/generation.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'

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
