import { eq, sql } from 'drizzle-orm'
import type { JournalEntry } from '../../domain/journal-entry.ts'
import { surplusOf } from '../journal-bound.ts'
import type { ListMember } from '../list-members.ts'
import type { Store } from '../store.ts'
import type { Connection } from './connection.ts'
import { lister } from './lists.ts'
import { once, p } from './parameter.ts'
import { inserter } from './rows.ts'
import { requests, world } from './schema.ts'

/** The journal of requests. */
export function requestVerbs(
  connection: Connection,
): Pick<Store, 'appendRequests' | 'findRequest' | 'listRequests' | 'prunedRequests'> {
  const { sqlite, db, write } = connection
  const insert = inserter(sqlite, requests)
  const count = sqlite
    .prepare<[number], number>('update world set kept_requests = kept_requests + ? returning kept_requests')
    .pluck()
  const counts = sqlite
    .prepare<[], [string | null, number]>('select client_id, count(*) from requests group by client_id')
    .raw()
  const prune = sqlite.prepare<[string | null, number]>(
    'delete from requests where seq in (select seq from requests where client_id is ? order by seq limit +?)',
  )
  const pruneBytes = sqlite.prepare<[number]>(
    `delete from requests where seq <= (select max(seq) from (
       select seq, sum(${bytesOfRow}) over (order by seq desc) as bytes from requests) where bytes > +?)`,
  )
  const countPruned = sqlite.prepare<[number, number]>(
    'update world set kept_requests = kept_requests - ?, pruned_requests = pruned_requests + ?',
  )
  const pruned = once(() => db.select({ count: world.prunedRequests }).from(world).prepare())
  const byId = once(() =>
    db
      .select()
      .from(requests)
      .where(eq(requests.id, p('id')))
      .prepare(),
  )
  const list = lister(connection, {
    letter: 'r',
    seq: requests.seq,
    filters: {
      requestId: requests.requestId,
      clientId: requests.clientId,
      status: requests.status,
      operation: requests.operation,
    },
    members: {
      id: requests.id,
      clientId: requests.clientId,
      operation: requests.operation,
      requestId: requests.requestId,
      method: requests.method,
      path: requests.path,
      status: requests.status,
      'diagnosis.cause': sql`${requests.diagnosis} ->> 'cause'`,
    } satisfies Record<ListMember<'requests'>, unknown>,
    searched: [requests.requestId, requests.id, requests.path],
    // The journal is bounded: but for the index by client, no request is to pay for one.
    leads: [],
    prepare: (where, order) =>
      db.select().from(requests).where(where).orderBy(order).limit(sql.placeholder('limit')).prepare(),
    present: (rows) => rows.map(entryOf),
  })

  return {
    appendRequests: (entries, keep, dropped = 0) =>
      write(() => {
        for (const entry of entries) insert(entry)
        const isFull = (count.get(entries.length) ?? 0) > keep.all
        let surplus = 0
        for (const [clientId, taken] of isFull ? surplusOf(new Map(counts.all()), keep) : []) {
          prune.run(clientId, taken)
          surplus += taken
        }
        if (keep.bytes !== undefined) surplus += pruneBytes.run(keep.bytes).changes
        if (surplus + dropped > 0) countPruned.run(surplus, surplus + dropped)
      }),
    findRequest: async (id) => {
      const row = byId().get({ id })
      return row ? entryOf(row) : null
    },
    listRequests: async (query) => list(query),
    prunedRequests: async () => pruned().get()?.count ?? 0,
  }
}

/** `octet_length` does not read a long text, unlike `length`. */
const bytesOfRow = ['headers', 'notes', 'body', 'response', 'path', 'request_id', 'diagnosis']
  .map((column) => `ifnull(octet_length(${column}), 0)`)
  .join(' + ')

function entryOf({ seq: _, ...entry }: typeof requests.$inferSelect): JournalEntry {
  return entry
}
