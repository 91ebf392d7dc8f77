import { ownMetrics } from '../../src/control/calls/metrics.ts'
import { Counts, Tally } from '../../src/journal/tallies.ts'
import { table } from './table.ts'

/** The emulator's own metrics. */
export function metricsTable(): string {
  const tally = new Tally()
  // A counter shows its labels once it has counted something.
  for (const counts of Object.values(tally)) if (counts instanceof Counts) counts.add(...counts.names)
  const metrics = ownMetrics(tally, {
    backlog: { orders: 0, pendingDeliveries: 0, heldDeliveries: 0, keptRequests: 0, prunedRequests: 0 },
    clients: 0,
    streams: 0,
    build: { version: '', runtime: '' },
  })
  return table(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    metrics.map(({ name, type, help, samples }) => {
      const labels = new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))
      return [`\`${name}\``, type, [...labels].map((label) => `\`${label}\``).join(', '), help]
    }),
  )
}
