import type { JournalEntry, TestClient } from '../../index.ts'

/** The calls of the client after a given one, oldest first. It reads only the newest ones of the request log. */
export async function callsAfter(client: TestClient, since: string | null): Promise<JournalEntry[]> {
  for (let limit = 250; ; limit *= 4) {
    const newest = await client.requests.list({ order: 'newest', limit })
    const after = newest.filter(({ id }) => id > (since ?? ''))
    if (after.length < newest.length || newest.length < limit) return after.toReversed()
  }
}
