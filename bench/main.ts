// `npm run bench -- --quick`: how near the built program comes to a bare server, in under a minute.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Measurement, measurements, storedOrders } from './measurements.ts'
import { Processes, pinned } from './processes.ts'
import { type Measured, tableOf, verdictOn } from './table.ts'

const connections = 64
const rounds = { quick: 7, full: 21 }

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const folder = mkdtempSync(join(tmpdir(), 'emulator-bench-'))
try {
  process.exitCode = await bench(values.quick ? rounds.quick : rounds.full)
} finally {
  rmSync(folder, { recursive: true })
}

/** @returns the exit code */
async function bench(roundsToCount: number): Promise<number> {
  await using processes = new Processes()
  const ports = {
    ceilings: await processes.serve(new URL('ceilings.ts', import.meta.url), (port) => [port]),
    creates: await emulator(processes, 'creates'),
    lookups: await emulator(processes, 'lookups'),
  }
  const store = { kind: 'create', port: ports.lookups, connections, first: 0, count: storedOrders } as const
  await processes.send(store)

  const results = measurements.map((measurement) => ({ measurement, perSecond: [] as number[] }))
  // The first round warms up.
  for (let round = 0; round <= roundsToCount; round++) {
    for (const { measurement, perSecond } of results) {
      const rate = await processes.send(loadOf(measurement, ports[measurement.server], round))
      if (round > 0) perSecond.push(rate)
    }
  }
  return report(results, roundsToCount)
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
  return { kind, port, connections, first: round * count, count, different }
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
