import type { LoadResult } from '../load/load.ts'
import type { RequestShape } from '../load/requests.ts'
import type { Bench, Stored } from './bench.ts'
import { figure } from './page.ts'
import type { Server } from './processes.ts'
import { median, ratios } from './statistics.ts'

/** A server and the load that it gets in each round. */
export interface Contender {
  readonly server: Server
  readonly shape: RequestShape
  /** Orders to look up, again and again. Without it every request is new. */
  readonly stored?: Stored
  /** By default 64. */
  readonly connections?: number
  /** Requests in a round. By default as many as fill its time. */
  readonly count?: number
  /** Runs before each round and is not measured. */
  readonly before?: () => Promise<void>
}

const rounds = 7

/** Most different lookups: more than a cache of pages holds. */
const mostLookups = 20_000

/** Measures all contenders in every round, one after the other, so that a machine that slows down slows all of them.
 *  @returns for each contender its rounds */
export async function interleave<Name extends string>(
  bench: Bench,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Record<Name, LoadResult[]>> {
  const [seconds, warmUpSeconds] = bench.quick ? [0.6, 2] : [0.8, 3]
  const results: Record<string, LoadResult[]> = {}
  const counts: Record<string, number> = {}
  const all = Object.entries<Contender>(contenders)
  for (const [name, contender] of all) {
    results[name] = []
    counts[name] = contender.count ?? Math.ceil(seconds * (await warmUp(bench, contender, warmUpSeconds)))
    await contender.server.settle()
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, contender] of all) {
      await contender.before?.()
      results[name]?.push(await measure(bench, contender, counts[name] ?? 1))
      await contender.server.settle()
    }
  }
  return results
}

/** Sends requests until the compiler has settled. @returns requests per second at its end */
async function warmUp(bench: Bench, contender: Contender, seconds: number): Promise<number> {
  let rate = 1_000
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    rate = (await measure(bench, contender, Math.ceil(rate / 2))).perSecond
  }
  return rate
}

function measure(bench: Bench, contender: Contender, count: number): Promise<LoadResult> {
  const { server, shape, stored, connections = 64 } = contender
  const load = { shape, port: server.port, connections, count }
  if (stored === undefined) return bench.send({ ...load, first: bench.newOrders(count) })
  const different = Math.min(stored.count, mostLookups)
  const step = Math.floor(stored.count / different)
  return bench.send({ ...load, first: stored.first, different, step })
}

/** Requests per second beside those of another contender, round by round, with both rates as a note. */
export function rateBeside(own: readonly LoadResult[], other: readonly LoadResult[]) {
  const rates = (rounds: readonly LoadResult[]) => rounds.map(({ perSecond }) => perSecond)
  const overloaded = [own, other].some((rounds) => median(rounds.map(({ busy }) => busy)) > 0.9)
  const both = `${figure(median(rates(own)))}/s beside ${figure(median(rates(other)))}/s`
  const note = overloaded ? `${both}; THE LOAD WAS TOO SLOW` : both
  return { values: ratios(rates(own), rates(other)), note }
}
