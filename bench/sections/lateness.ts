import { z } from 'zod'
import type { Bench } from '../frame/bench.ts'
import { control, demoClient } from '../frame/control.ts'
import type { Server } from '../frame/processes.ts'
import type { Section } from '../frame/section.ts'
import { median, quantile, ratios } from '../frame/statistics.ts'
import { type Arrivals, Receiver } from '../load/receiver.ts'
import { create } from '../load/requests.ts'
import { million } from './million.ts'

/** Orders a second, with two webhooks each: at once and after a second. */
const ordersPerSecond = 250
/** The first second has half of the webhooks and does not count. */
const [rounds, seconds] = [5, 4]

/** How late webhooks arrive at 500 a second, in an empty database and in one with a million that are pending. */
export const lateness: Section = {
  name: 'lateness',
  async run(bench) {
    const receiver = await Receiver.start(bench)
    const { database } = await million(bench)
    const alone = await startSoon(bench, receiver)
    const beside = await startSoon(bench, receiver, database)
    // The first round warms up.
    const [few, many]: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round++) {
      few.push(await p99(bench, alone, receiver))
      many.push(await p99(bench, beside, receiver))
    }
    const [fewMs, manyMs] = [few.slice(1), many.slice(1)]
    return [
      { goal: 'webhook lateness at 500/s, p99', values: fewMs },
      {
        goal: 'the same with a million pending',
        values: ratios(manyMs, fewMs),
        note: `${median(manyMs).toFixed(1)} ms`,
      },
    ]
  },
}

async function startSoon(bench: Bench, { url }: Receiver, database?: string): Promise<Server> {
  const emulator = await bench.emulator({
    ...{ webhookUrl: url, clock: 'real' },
    ...(database !== undefined && { database }),
  })
  // A stored client keeps its URL.
  const client = { defaultScenario: 'soon', webhookUrl: url }
  await control(emulator, 'PATCH', `/clients/${demoClient}`, client)
  return emulator
}

async function p99(bench: Bench, server: Server, receiver: Receiver): Promise<number> {
  const count = ordersPerSecond * seconds
  const first = bench.newOrders(count)
  const load = { shape: create, port: server.port, connections: 64, first, count }
  const [arrivals] = await Promise.all([
    receiver.expect(2 * count),
    bench.send({ ...load, perSecond: ordersPerSecond }),
  ])
  return quantile(latenessOf(arrivals, await dueTimes(server, arrivals.ids.length)), 0.99)
}

/** Milliseconds from when each webhook was due to its arrival, while there were 500 a second. */
function latenessOf({ ids, moments }: Arrivals, due: ReadonlyMap<string, number>): number[] {
  const from = (moments[0] ?? 0) + 1_000
  const until = (moments[0] ?? 0) + seconds * 1000
  return ids.flatMap((id, index) => {
    const [dueAt, at] = [due.get(id), moments[index]]
    return dueAt !== undefined && at !== undefined && dueAt >= from && dueAt < until ? [at - dueAt] : []
  })
}

const page = z.object({
  items: z.array(z.object({ webhookId: z.string(), dueAt: z.number().nullable() })),
  next: z.string().nullable(),
})

/** @returns when the newest webhooks were due, epoch milliseconds, by their ids */
async function dueTimes(emulator: Server, count: number): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  let cursor = ''
  while (times.size < count) {
    const { items, next } = page.parse(
      await control(emulator, 'GET', `/deliveries?order=newest&limit=500${cursor}`),
    )
    for (const { webhookId, dueAt } of items) if (dueAt !== null) times.set(webhookId, dueAt)
    if (next === null) break
    cursor = `&cursor=${next}`
  }
  return times
}
