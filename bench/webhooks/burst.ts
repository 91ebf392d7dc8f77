import type { Bench } from '../frame/bench.ts'
import type { Result, Section } from '../frame/section.ts'
import type { Server } from '../frame/server.ts'
import { median, ratios, spread } from '../frame/statistics.ts'
import { barePool, type PoolEnd, type PoolLoad } from './bare-pool.ts'
import { control, demoClient } from './control.ts'
import { Receiver } from './receiver.ts'

/** What the emulator gives to one origin. */
const connections = 16
const length = { rounds: 7, count: 15_000 }

/** How many webhooks a second leave when thousands are due at once, signed, claimed and recorded, beside a bare pool
 *  that sends as much to the same receiver. */
export const burst: Section = {
  name: 'burst',
  goal: 4,
  runs: 'full',
  run: measured,
}

/** What the rungs are called between a bare pool and the emulator; see servers/pool.ts. */
const rungs = {
  signs: 'bare Pool + signature',
  records: '+ claimed and recorded in a file',
} as const

async function measured(bench: Bench): Promise<Result[]> {
  const receiver = await Receiver.start(bench)
  const pool = barePool(bench)
  const emulator = await bench.emulator({ webhookUrl: `${receiver.url}/webhook` })
  const ends: Record<PoolLoad['does'] | 'ours', PoolEnd[]> = { sends: [], signs: [], records: [], ours: [] }
  // The first round warms up.
  for (let round = 0; round <= length.rounds; round++) {
    bench.say(`burst, round ${round} of ${length.rounds}`)
    for (const does of ['sends', 'signs', 'records'] as const) {
      const arrived = receiver.expect(length.count)
      ends[does].push(await pool({ origin: receiver.url, connections, count: length.count, does }))
      await arrived
    }
    ends.ours.push(await oneBurst(bench, emulator, receiver))
  }
  await emulator.stop()
  const beside = (name: string, which: readonly PoolEnd[]) =>
    resultOf(name, ends.sends.slice(1), which.slice(1))
  const goal = { aim: 0.4, better: 'higher' } as const
  return [
    beside(rungs.signs, ends.signs),
    beside(rungs.records, ends.records),
    { ...beside(`webhooks, ${length.count} due at once`, ends.ours), goal },
  ]
}

async function oneBurst(bench: Bench, emulator: Server, receiver: Receiver): Promise<PoolEnd> {
  const { count } = length
  // An answer of 410 pauses the URL, so that everything after the first gathers.
  const gone = receiver.expect(1, 410)
  await bench.store(emulator, 1)
  await gone
  await bench.store(emulator, count - 1)
  // The journal of the create calls is written behind them: it is theirs, and would fall into the burst.
  await emulator.idle(10_000)
  const arrived = receiver.expect(count - 1)
  const cpu = emulator.cpuMicros()
  await control(emulator, 'PATCH', `/clients/${demoClient}`, { webhookUrl: `${receiver.url}/webhook` })
  const { moments } = await arrived
  await emulator.idle(2_000)
  const seconds = ((moments.at(-1) ?? Number.NaN) - (moments[0] ?? Number.NaN)) / 1000
  return { perSecond: (count - 2) / seconds, cpuMicros: (emulator.cpuMicros() - cpu) / count }
}

function resultOf(name: string, bare: readonly PoolEnd[], ours: readonly PoolEnd[]): Result {
  const rates = (ends: readonly PoolEnd[]) => ends.map(({ perSecond }) => perSecond)
  const cpus = (ends: readonly PoolEnd[]) => ends.map(({ cpuMicros }) => cpuMicros)
  const shares = ratios(rates(ours), rates(bare))
  const inWords = (ends: readonly PoolEnd[]) =>
    `${Math.round(median(rates(ends))).toLocaleString('en')}/s, ${Math.round(median(cpus(ends)))} µs CPU`
  const byCpu = median(ratios(cpus(bare), cpus(ours))).toFixed(2)
  return {
    name,
    value: median(shares),
    unit: 'x bare undici Pool',
    spread: spread(shares),
    note: `${inWords(ours)}; bare Pool ${inWords(bare)}; by CPU ${byCpu}`,
  }
}
