import * as z from 'zod'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { exposition, expositionType } from './metrics/exposition.ts'
import { ownMetrics } from './metrics/metrics-table.ts'
import { processMetrics } from './metrics/process-metrics.ts'

/** `/metrics`: what Prometheus scrapes. Nothing is sent anywhere by itself. */
export const metricsCalls = [
  controlCall({
    method: 'GET',
    path: '/metrics',
    name: 'getMetrics',
    summary: 'Read the metrics for Prometheus',
    description:
      'No label names a client or an order. With `clientId`, the metrics cover that client, and leave out what belongs to no client (process, build, request log).',
    query: clientQuery,
    body: noBody,
    answers: { 200: z.string() },
    gives: 'text/plain',
    handle: async ({ query: { clientId } }, { store, clients, tallies, streams, version, runtime }) => {
      const isNarrow = clientId !== undefined
      const tally = isNarrow ? tallies.of(clientId) : tallies.all
      const standing = await store.standing(clientId)
      const ofProcess = isNarrow ? '' : await processMetrics()
      const build = isNarrow ? null : { version, runtime }
      const present = isNarrow
        ? { clients: 1, streams: null }
        : { clients: clients.count, streams: streams.count }
      const own = ownMetrics(tally, { standing, build, ...present })
      return new Response(`${exposition(own)}${ofProcess}`, { headers: { 'content-type': expositionType } })
    },
  }),
]
