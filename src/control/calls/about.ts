import type { z } from 'zod'
import type { Counts, Tally } from '../../journal/tallies.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import { about } from '../shapes/about.ts'

/** `/about`: version and numbers of items, fast enough to be called for each client of a list. */
export const aboutCalls = [
  controlCall({
    method: 'GET',
    path: '/about',
    name: 'getAbout',
    summary:
      'Show the version, and the number of clients, orders and other items, in total or for one client',
    query: clientQuery,
    body: noBody,
    answers: { 200: about },
    handle: async ({ query: { clientId } }, parts) => {
      const { version, runtime, seed, database, uptimeMs, memoryBytes, store, clients, tallies } = parts
      const backlog = await store.backlog(clientId)
      return json({
        ...{ version, runtime, seed, database, uptimeMs: uptimeMs(), memoryBytes: memoryBytes() },
        holds: { clients: clientId === undefined ? clients.count : 1, ...backlog },
        sinceStart: sumsOf(clientId === undefined ? tallies.all : tallies.of(clientId)),
      })
    },
  }),
]

function sumsOf(tally: Tally): z.output<typeof about>['sinceStart'] {
  const ended = (status: string) => sum(tally.deliveriesEnded, ([of]) => of === status)
  return {
    orders: sum(tally.ordersCreated),
    requests: sum(tally.requests),
    refusals: sum(tally.refusals),
    attempts: sum(tally.attempts),
    ...{ delivered: ended('delivered'), dead: ended('dead'), skipped: ended('skipped') },
  }
}

const sum = (counts: Counts<string>, fits = (_values: readonly string[]) => true): number =>
  counts.entries().reduce((total, { values, count }) => total + (fits(values) ? count : 0), 0)
