import type { JournalEntry } from '../../../src/domain/journal/entry.ts'
import { excessEntries } from '../../../src/store/journal-bound.ts'
import { listFields } from '../../../src/store/list-fields.ts'
import type { Store } from '../../../src/store/store.ts'
import { pageOf } from './lists.ts'
import { type Memory, nextNumber, own, type State } from './state.ts'

/** The request log. */
export const requestVerbs = ({ read, write }: Memory) =>
  ({
    appendRequests: (entries, keep, dropped = 0) =>
      write((state) => {
        for (const entry of entries)
          addRequest(state, entry, new Error(`There is a request ${entry.id} already.`))
        const before = state.requests.size
        const byClient = Map.groupBy(state.requests.values(), ({ thing }) => thing.clientId)
        const counts = new Map([...byClient].map(([clientId, theirs]) => [clientId, theirs.length]))
        for (const [clientId, taken] of excessEntries(counts, keep))
          for (const { thing } of (byClient.get(clientId) ?? []).slice(0, taken))
            state.requests.delete(thing.id)
        if (keep.bytes !== undefined) pruneBytes(state, keep.bytes)
        state.prunedRequests += before - state.requests.size + dropped
      }),
    findRequest: (id) => read((state) => state.requests.get(id)?.thing ?? null),
    listRequests: (query) =>
      read((state) => ({
        ...pageOf(state.requests.values(), requestList, query),
        pruned: state.prunedRequests,
      })),
  }) satisfies Partial<Store>

/** @param taken what is thrown if its id is another's */
export function addRequest(state: State, entry: JournalEntry, taken: Error): void {
  if (state.requests.has(entry.id)) throw taken
  state.requests.set(entry.id, own({ place: nextNumber(state), thing: entry }))
}

/** Removes the oldest until the rest have no more bytes. */
function pruneBytes(state: State, most: number): void {
  let bytes = 0
  for (const { thing } of [...state.requests.values()].reverse()) {
    bytes += bytesOf(thing)
    if (bytes > most) state.requests.delete(thing.id)
  }
}

function bytesOf({ headers, notes, body, response, path, requestId, diagnosis }: JournalEntry): number {
  const texts = [JSON.stringify(headers), JSON.stringify(notes), body, response, path, requestId ?? '']
  if (diagnosis !== null) texts.push(JSON.stringify(diagnosis))
  return Buffer.byteLength(texts.join(''))
}

const requestList = {
  letter: 'r',
  members: listFields.requests,
  shown: (entry: JournalEntry) => ({ ...entry }),
  searched: ({ requestId, id, path }: JournalEntry) => [requestId, id, path],
}
