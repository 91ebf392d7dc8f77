import { getTableColumns } from 'drizzle-orm'
import { excessEntries } from '../journal-bound.ts'
import { listFields } from '../list-fields.ts'
import type { Store } from '../store.ts'
import { lister } from './lists.ts'
import { selector } from './rows.ts'
import { requests } from './schema.ts'
import type { Connection } from './writer.ts'

/** Returns the store's operations on the request log. */
export function requestVerbs(connection: Connection) {
  const { sqlite, insert, run, read, write } = connection
  const { seq: _, ...columns } = getTableColumns(requests)
  const byId = selector(sqlite, columns)('where id = +?')
  const counts = sqlite
    .prepare<[], [string | null, number]>('select client_id, count(*) from requests group by client_id')
    .raw()
  const selectListed = selector(sqlite, getTableColumns(requests))
  const list = lister(connection, {
    letter: 'r',
    table: requests,
    select: selectListed,
    members: listFields.requests,
    found: { 'diagnosis.cause': `diagnosis ->> 'cause'` },
    searched: [requests.requestId, requests.id, requests.path],
    // The log is bounded, so no index but the one by client is worth its cost.
    leads: [],
    present: (rows) => rows.map(({ seq: _, ...entry }) => entry),
  })

  return {
    appendRequests: (entries, keep, dropped = 0) =>
      write(() => {
        for (const entry of entries) insert(requests, entry)
        let pruned = dropped
        for (const [clientId, surplus] of excessEntries(new Map(counts.all()), keep))
          pruned += run(pruneOldest, clientId, surplus)
        if (keep.bytes !== undefined) pruned += run(pruneBytes, keep.bytes)
        if (pruned > 0) run('update world set pruned_requests = pruned_requests + ?', pruned)
      }),
    findRequest: (id) => read(() => byId(id)[0] ?? null),
    listRequests: (query) => read(() => ({ ...list(query), pruned: prunedRequests(connection) })),
  } satisfies Partial<Store>
}

/** The number of evicted entries since the beginning. */
export const prunedRequests = ({ value }: Connection): number =>
  value<number>('select pruned_requests from world') ?? 0

const pruneOldest = `
  delete from requests
  where seq in (select seq from requests where client_id is ? order by seq limit +?)`

/** `octet_length` does not read a long text, unlike `length`. */
const bytesOfRow = ['headers', 'notes', 'body', 'response', 'path', 'request_id', 'diagnosis']
  .map((column) => `ifnull(octet_length(${column}), 0)`)
  .join(' + ')

const pruneBytes = `
  delete from requests where seq <= (select max(seq) from (
    select seq, sum(${bytesOfRow}) over (order by seq desc) as bytes from requests) where bytes > +?)`
