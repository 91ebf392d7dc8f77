import type { JournalEntry, TestClient } from '../../index.ts'

/** Returns the id of the client's last call in the request log; null without calls. */
export async function lastCallOf(client: TestClient): Promise<string | null> {
  const [last] = await client.requests.list({ order: 'newest', limit: 1 })
  return last?.id ?? null
}

/** The calls of a client after a given one, oldest first. Call ids increase; the emulator's wall clock may differ
 *  from ours.
 *  @param last the id of the last earlier call; null for all */
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
