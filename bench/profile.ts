import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './frame/bench.ts'
import type { Result, Section } from './frame/section.ts'
import { create, lookup, type RequestShape } from './load/requests.ts'
import { type CpuProfile, selfTimes } from './profile-parts.ts'

/** So many requests, once the compiler has settled. */
const warmUp = 20_000
const measured = 60_000
const connections = 64
/** Parts that take less than this share stand together. */
const least = 0.01

/** Where the time of a create call and of a lookup goes: the self time of each part of the program, from V8's sampling
 *  profiler. It slows the program down a little, so the shares count and not the sum. */
export const profile: Section = {
  name: 'profile',
  goal: null,
  runs: 'asked',
  run: async (bench) => [
    ...(await profiled(bench, 'create', create)),
    ...(await profiled(bench, 'lookup', lookup)),
  ],
}

async function profiled(bench: Bench, name: string, shape: RequestShape): Promise<Result[]> {
  bench.say(`profiles ${name}`)
  const folder = join(bench.folder, name)
  const emulator = await bench.emulator({
    node: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'],
  })
  const stored = shape === lookup ? await bench.store(emulator, 1_000) : null
  for (const count of [warmUp, measured]) {
    const first = stored?.first ?? bench.newOrders(count)
    await bench.send({ shape, port: emulator.port, connections, first, count, different: stored?.count })
  }
  await emulator.stop()
  const [file = ''] = readdirSync(folder)
  const recorded: CpuProfile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return rows(name, selfTimes(recorded, mapOf))
}

function mapOf(path: string) {
  const map = `${path}.map`
  return existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')) : null
}

/** Largest first; small ones together. */
function rows(name: string, times: ReadonlyMap<string, number>): Result[] {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  const shares = [...times]
    .map(([part, time]) => ({ part, share: time / all }))
    .toSorted((a, b) => b.share - a.share)
  const shown = shares.filter(({ share }) => share >= least)
  const rest = 1 - shown.reduce((sum, { share }) => sum + share, 0)
  return [...shown, { part: `${shares.length - shown.length} more`, share: rest }].map(({ part, share }) => ({
    ...{ name: `${name}: ${part}`, value: 100 * share, unit: '% of its time', spread: null },
  }))
}
