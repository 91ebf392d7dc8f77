import * as z from 'zod'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import type { ControlParts } from '../parts.ts'
import { failures, overview } from '../shapes/overview.ts'

const after = (what: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a time in epoch milliseconds')
    .transform(Number)
    .optional()
    .meta({
      description: `Counts only ${what} after this wall-clock time, in epoch milliseconds.`,
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', format: 'int64', minimum: 0 })
      },
    })

/** `/overview` and `/failures`: figures about everything, whose cost does not grow with the number of orders. */
export const overviewCalls = [
  controlCall({
    method: 'GET',
    path: '/overview',
    name: 'getOverview',
    summary: 'Count orders and webhooks by status, and show the latest attempts and the causes of refusals',
    query: clientQuery,
    body: noBody,
    answers: { 200: overview },
    handle: async ({ query: { clientId } }, parts) => {
      const counts = await countsOf(clientId, parts)
      const { attempts, refusals } = parts.recent.of(clientId)
      return json({
        ...counts,
        attempts,
        refusals: [...refusals]
          .map(([cause, count]) => ({ cause, count }))
          .toSorted((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1)),
      })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/failures',
    name: 'countFailures',
    summary: 'Count the failed webhook attempts and the rejected calls since a time',
    query: clientQuery.extend({ attemptsAfter: after('attempts'), requestsAfter: after('calls') }),
    body: noBody,
    answers: { 200: failures },
    handle: async ({ query: { clientId, attemptsAfter = -1, requestsAfter = -1 } }, { clients, recent }) => {
      if (clientId !== undefined) clients.get(clientId)
      const { failedAttempts, refusedCalls } = recent.of(clientId)
      return json({
        attempts: failedAttempts.filter(({ wallAt }) => wallAt > attemptsAfter).length,
        requests: refusedCalls.filter(({ wallAt }) => wallAt > requestsAfter).length,
      })
    },
  }),
]

/** The counts of one client, or the sums of all.
 *  @throws client_unknown */
async function countsOf(clientId: string | undefined, { clients, store }: ControlParts) {
  const one = clientId === undefined ? undefined : clients.get(clientId).clientId
  const { orders, deliveries } = await store.counts()
  const of = (counts: ReadonlyMap<string, Readonly<Record<string, number>>>) =>
    one === undefined ? summed(counts.values()) : (counts.get(one) ?? {})
  return { orders: of(orders), deliveries: of(deliveries) }
}

function summed(parts: Iterable<Readonly<Record<string, number>>>): Record<string, number> {
  const sums = new Map<string, number>()
  for (const part of parts)
    for (const [status, count] of Object.entries(part)) sums.set(status, (sums.get(status) ?? 0) + count)
  return Object.fromEntries(sums)
}
