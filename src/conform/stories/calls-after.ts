import type { JournalEntry, TestClient } from '../../index.ts'

/** Calls of the client. */
interface Calls {
  /** Oldest first. */
  readonly calls: readonly JournalEntry[]
  /** Whether none is missing: the request log keeps only so many. */
  readonly areAll: boolean
}

/** The calls of the client after a given one. It reads only the newest ones of the request log.
 *  @param since null for all */
export async function callsAfter(client: TestClient, since: string | null): Promise<Calls> {
  for (let limit = 250; ; limit *= 4) {
    const newest = await client.requests.list({ order: 'newest', limit })
    const after = newest.filter(({ id }) => id > (since ?? ''))
    if (after.length < newest.length) return { calls: after.toReversed(), areAll: true }
    if (newest.length < limit) return { calls: after.toReversed(), areAll: since === null }
  }
}
