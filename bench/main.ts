// `npm run bench -- --quick`: how near the built program comes to a bare server, in under a minute. With `--ladder`:
// what a program that does no more than it must would come to. With `--lists`: how soon lists answer with 100,000 orders.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchLists } from './lists.ts'
import { ladder, type Measurement, measurements, type ServerName, storedOrders } from './measurements.ts'
import { Processes, pinned } from './processes.ts'
import { type Measured, tableOf, verdictOn } from './table.ts'

const connections = 64
const rounds = { quick: 7, full: 21 }

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { quick: flag, ladder: flag, lists: flag } })
const folder = mkdtempSync(join(tmpdir(), 'emulator-bench-'))
/** @returns the exit code */
async function bench(chosen: readonly Measurement[], roundsToCount: number): Promise<number> {
  await using processes = new Processes()
  const ports = new Map<ServerName, number>()
  for (const { server } of chosen) {
    if (!ports.has(server)) ports.set(server, await servers[server](processes))
  }

  const results = chosen.map((measurement) => ({ measurement, perSecond: [] as number[] }))
  // The first round warms up.
  for (let round = 0; round <= roundsToCount; round++) {
    for (const { measurement, perSecond } of results) {
      const port = ports.get(measurement.server) ?? 0
      const rate = await processes.send(loadOf(measurement, port, round))
      if (round > 0) perSecond.push(rate)
    }
  }
  return report(results, roundsToCount)
}

/** How each is started. @returns its port */
const servers: Readonly<Record<ServerName, (processes: Processes) => Promise<number>>> = {
  ceilings: (processes) => processes.serve(new URL('ceilings.ts', import.meta.url), (port) => [port]),
  ladder: (processes) =>
    processes.serve(new URL('ladder.ts', import.meta.url), (port) => [port, join(folder, 'ladder.db')]),
  creates: (processes) => emulator(processes, 'creates'),
  lookups: async (processes) => {
    const port = await emulator(processes, 'lookups')
    await processes.send({ kind: 'create', port, connections, first: 0, count: storedOrders })
    return port
  },
}

/** The built program on a file, its clock standing still. Orders with a payment page do not wait for a payer, so
 *  that each has a step ahead of it. */
function emulator(processes: Processes, name: string): Promise<number> {
  const settings = join(folder, 'settings.yaml')
  writeFileSync(settings, 'orders.autopay: always\n')
  const options = ['--database', join(folder, `${name}.db`), '--settings', settings, '--clock', 'manual']
  return processes.serve(new URL('../dist/cli.js', import.meta.url), (port) => [
    ...['serve', '--port', port, '--log', 'silent'],
    ...options,
  ])
}

function loadOf({ kind, count, different }: Measurement, port: number, round: number) {
  // What is looked up is there from the start; what is created is new in every round.
  const first = different === undefined ? round * count : 0
  return { kind, port, connections, first, count, different }
}

function report(results: readonly Measured[], roundsCounted: number): number {
  const place = pinned ? 'servers and load on two cores each' : 'servers and load share the cores'
  console.log(
    `${connections} connections, median of ${roundsCounted} rounds, Node ${process.versions.node}, ${place}\n`,
  )
  console.log(tableOf(results))
  const verdicts = results.map((result) => verdictOn(result, results))
  return verdicts.every((verdict) => verdict === null || verdict.ok) ? 0 : 1
}

try {
  const roundsToCount = values.quick ? rounds.quick : rounds.full
  process.exitCode = values.lists
    ? await benchLists(folder)
    : await bench(values.ladder ? ladder : measurements, roundsToCount)
} finally {
  rmSync(folder, { recursive: true })
}
