import { masked } from '../../domain/secrets.ts'
import type { JournalEntry, TestClient } from '../../index.ts'

/** Whether a call asks for an access token. */
export const isForToken = ({ operation }: JournalEntry): boolean => operation === 'access-token'

/** Whether a call was refused because its access token had expired. */
export const isRefusedAsExpired = ({ diagnosis }: JournalEntry): boolean =>
  diagnosis?.cause === 'token.expired'

/** Access token of a call, as the journal has it: its first characters. */
export const tokenOf = ({ headers }: JournalEntry): string => headers['access-token'] ?? ''

/** Whether the application of a client has ever got an access token. It may have asked so long ago that the journal no
 *  longer has that call; then its other calls carry a token that is not the client's own. */
export async function asksForTokens(client: TestClient): Promise<boolean> {
  const calls = await client.requests.list()
  const own = masked(client.accessToken)
  return calls.some(
    (call) =>
      isForToken(call) ||
      ((call.status === 200 || isRefusedAsExpired(call)) && ![own, ''].includes(tokenOf(call))),
  )
}

/** Whether an application gets nowhere because its access token has expired: none of its calls has gone well since,
 *  except for another token.
 *  @param calls the oldest first */
export function tokenRanOut(calls: readonly JournalEntry[]): boolean {
  const expired = calls.findLastIndex(isRefusedAsExpired)
  return expired !== -1 && !calls.slice(expired).some((call) => call.status === 200 && !isForToken(call))
}
