import type { IssuedToken } from '../domain/client.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Store } from '../store/store.ts'

/** How long an expired token is still told from an unknown one. */
const rememberedMs = 86_400_000

/** The tokens that the access token API gave out, kept in memory over the store (N64a, N64b). */
export class IssuedTokens {
  readonly #store: Store
  readonly #tokens = new Map<string, IssuedToken>()

  constructor(store: Store) {
    this.#store = store
  }

  async load(): Promise<void> {
    this.remember(await this.#store.tokens())
  }

  /** Takes over tokens that the store has already. */
  remember(tokens: readonly IssuedToken[]): void {
    for (const token of tokens) this.#tokens.set(token.token, token)
  }

  find(token: string): IssuedToken | undefined {
    return this.#tokens.get(token)
  }

  /** The tokens of one client, or all. */
  texts(clientId?: string): string[] {
    const issued = [...this.#tokens.values()]
    const own = clientId === undefined ? issued : issued.filter((each) => each.clientId === clientId)
    return own.map(({ token }) => token)
  }

  /** Keeps a token, and forgets those of its client that expired long before `now`. */
  async add(issued: IssuedToken, now: EpochMs): Promise<void> {
    await this.#store.saveToken(issued)
    this.#tokens.set(issued.token, issued)
    const before = now - rememberedMs
    const old = [...this.#tokens.values()].filter(
      ({ clientId, expiresAt }) => clientId === issued.clientId && expiresAt < before,
    )
    for (const { token } of old) this.#tokens.delete(token)
    if (old.length > 0) await this.#store.pruneTokens(issued.clientId, before)
  }

  /** Makes a client's tokens expire at `at`, those that have not yet; the store has done so already. */
  expire(clientId: string, at: EpochMs): void {
    for (const [token, issued] of this.#tokens) {
      if (issued.clientId === clientId && issued.expiresAt > at) {
        this.#tokens.set(token, { ...issued, expiresAt: at })
      }
    }
  }

  /** Forgets a client's tokens, or all; the store has forgotten them already. */
  forget(clientId?: string): void {
    for (const [token, issued] of this.#tokens) {
      if (clientId === undefined || issued.clientId === clientId) this.#tokens.delete(token)
    }
  }
}
