import type { IssuedToken } from '../domain/client.ts'
import type { LifeSpan } from '../domain/life-span.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'

/** How long an expired token is still told from an unknown one. */
const rememberedMs = 86_400_000

/** The tokens that the access token API gave out, kept in memory over the store (N64a, N64b). */
export class IssuedTokens {
  readonly #store: Store
  readonly #tokens = new Map<string, IssuedToken>()
  /** The texts of those of each client: nobody goes through those of all. */
  readonly #byClient = new Map<string, Set<string>>()

  constructor(store: Store) {
    this.#store = store
  }

  async load(): Promise<void> {
    this.remember(await this.#store.tokens())
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
  async add(issued: IssuedToken, now: EpochMs, life: LifeSpan): Promise<void> {
    await this.#store.saveToken(issued, life)
    this.remember([issued])
    const before = now - rememberedMs
    const old = this.#of(issued.clientId).filter(({ expiresAt }) => expiresAt < before)
    for (const { token } of old) this.#drop(issued.clientId, token)
    if (old.length > 0) await this.#store.pruneTokens(issued.clientId, before)
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
