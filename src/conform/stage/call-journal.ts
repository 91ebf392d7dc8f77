import type { JournalEntry, TestClient } from '../../index.ts'

/** The id of the last call of a client up to now; null if it has made none. */
export async function lastCallOf(client: TestClient): Promise<string | null> {
  const [last] = await client.requests.list({ order: 'newest', limit: 1 })
  return last?.id ?? null
}

/** What an application has asked of the service since then, the oldest first: by their ids, which grow, since the
 *  emulator's wall clock may be another than ours.
 *  @param last the last call before; null for all */
export async function callsSince(
  client: TestClient,
  last: string | null,
  where: CallsWhere,
): Promise<JournalEntry[]> {
  const entries = await client.requests.list(where)
  return entries.filter(({ id }) => id > (last ?? ''))
}

interface CallsWhere {
  readonly requestId?: string
  readonly operation?: 'create-*'
}
