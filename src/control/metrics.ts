import { z } from 'zod'
import { controlCall, noBody } from './control-call.ts'
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
    description: 'Of the whole emulator: no label names a client or an order, and `?clientId=` is refused.',
    query: z.strictObject({}),
    body: noBody,
    answers: { 200: z.string() },
    gives: 'text/plain',
    handle: async (_, { store, clients, tally, version, runtime }) => {
      const [standing, ofProcess] = await Promise.all([store.standing(), processMetrics()])
      const own = ownMetrics(tally, { standing, clients: clients.count, version, runtime })
      return new Response(`${exposition(own)}${ofProcess}`, { headers: { 'content-type': expositionType } })
    },
  }),
]
