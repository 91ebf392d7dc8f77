import { type LimitVerdict, limitVerdict, type Windows } from '../domain/answers/rate-limit.ts'
import type { Settings } from '../domain/choices/settings.ts'
import type { Operation } from '../domain/journal/entry.ts'
import type { EpochMs } from '../domain/text/time.ts'

/** The windows of the rate limits of all clients (N81). They are in memory only: a reset, a restored snapshot and a
 *  restart begin new ones. */
export class RateLimits {
  readonly #windows = new Map<string, Windows>()

  /** Counts a call of a client, or refuses it.
   *  @param now the time on the client's clock */
  count(
    clientId: string,
    { operation, token }: { readonly operation: Operation; readonly token: string },
    settings: Pick<Settings, 'limits' | 'time.offset'>,
    now: EpochMs,
  ): LimitVerdict {
    const call = { operation, token, now, offset: settings['time.offset'] }
    const verdict = limitVerdict(settings.limits, call, this.#windows.get(clientId) ?? new Map())
    if (verdict.windows.size > 0) this.#windows.set(clientId, verdict.windows)
    else this.#windows.delete(clientId)
    return verdict
  }

  /** Forgets the windows of a client, or of all. */
  forget(clientId?: string): void {
    if (clientId === undefined) this.#windows.clear()
    else this.#windows.delete(clientId)
  }
}
