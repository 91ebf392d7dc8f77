import type { LoadEnd } from '../load/load.ts'
import type { RequestShape } from '../load/requests.ts'
import type { Bench, Stored } from './bench.ts'
import type { Goal } from './section.ts'
import type { Server } from './server.ts'

/** What takes part in the rounds. */
export interface Contender {
  readonly name: string
  readonly server: Server
  readonly shape: RequestShape
  /** What is asked for again and again; without it every request is new. */
  readonly stored?: Stored
  /** Requests in a round; by default as many as fill its time. */
  readonly count?: number
  /** What is done before each round and is not part of it. */
  readonly before?: () => Promise<void>
  /** By default 64. */
  readonly connections?: number
  /** Name of the contender it is compared with. */
  readonly beside?: string
  /** What is compared: requests per second, unless it is the median latency. */
  readonly by?: 'p50'
  readonly goal?: Goal
  /** Name of the contender that is the least program for the same: see `Result`. It stands beside the same one. */
  readonly floor?: string
}

/** What came of a contender's load in one round. */
export interface Round extends LoadEnd {
  /** What the server has computed for each request, all its threads, microseconds; with what it did afterwards. */
  readonly cpuMicros: number
}

/** A contender with its rounds; the n-th of all stand side by side in time. */
export interface Measured {
  readonly contender: Contender
  readonly rounds: readonly Round[]
}

/** How long is measured; the warm-up comes before it. */
const lengths = {
  quick: { least: 11, most: 11, seconds: 0.8, warmUpSeconds: 2 },
  full: { least: 9, most: 27, seconds: 1.5, warmUpSeconds: 4 },
}
const lengthOf = ({ quick }: Bench) => (quick ? lengths.quick : lengths.full)

/** How many starts are measured, and how many rounds of each. */
const starts = {
  quick: { least: 1, most: 1, ofAStart: lengths.quick.least },
  full: { least: 3, most: 6, ofAStart: 3 },
}

/** How long a server may take to end what it does after its answers, such as moving its log into the file. */
const mostMsAfterwards = 2_000

/** A contender on its way through the rounds. */
interface Run extends Measured {
  readonly rounds: Round[]
  /** Requests in a round. */
  readonly count: number
}

/** Measures all contenders in every round, one after the other, so that a machine that slows down slows all of them.
 *  The warm-up lets the compiler settle and finds how many requests fill a round.
 *  @param enough whether the rounds so far tell enough; there are up to three times as many else */
export async function interleave(
  bench: Bench,
  contenders: readonly Contender[],
  enough: (measured: readonly Measured[]) => boolean,
): Promise<Measured[]> {
  const { least, most } = lengthOf(bench)
  const runs = await warmedUp(bench, contenders)
  for (let round = 1; round <= least || (round <= most && !enough(runs)); round++) {
    bench.say(round <= least ? `round ${round} of ${least}` : `round ${round}: not certain yet`)
    await oneRound(bench, runs)
  }
  return runs
}

/** The same with servers that are started anew every few rounds. Two starts of one program differ by some percent for
 *  as long as they run, by where things lie in memory and what the compiler made of the first requests; so what lies that
 *  near its must is told from several.
 *  @param start starts a server for each contender, the same contenders each time */
export async function interleaveAnew(
  bench: Bench,
  start: () => Promise<readonly Contender[]>,
  enough: (measured: readonly Measured[]) => boolean,
): Promise<Measured[]> {
  const { least, most, ofAStart } = bench.quick ? starts.quick : starts.full
  const all: Run[] = []
  for (let n = 1; n <= least || (n <= most && !enough(all)); n++) {
    bench.say(n <= least ? `start ${n} of ${least}` : `start ${n}: not certain yet`)
    const runs = await warmedUp(bench, await start())
    for (let round = 1; round <= ofAStart; round++) await oneRound(bench, runs)
    await Promise.all(runs.map(({ contender }) => contender.server.stop()))
    for (const [place, run] of runs.entries()) {
      const before = all[place]?.rounds ?? []
      all[place] = { ...run, rounds: [...before, ...run.rounds] }
    }
  }
  return all
}

async function warmedUp(bench: Bench, contenders: readonly Contender[]): Promise<Run[]> {
  const { seconds, warmUpSeconds } = lengthOf(bench)
  const runs: Run[] = []
  for (const contender of contenders) {
    bench.say(`${contender.name}: warms up`)
    const rate = await warmUp(bench, contender, warmUpSeconds)
    runs.push({ contender, count: contender.count ?? Math.ceil(rate * seconds), rounds: [] })
  }
  return runs
}

async function oneRound(bench: Bench, runs: readonly Run[]): Promise<void> {
  for (const { contender, count, rounds } of runs) rounds.push(await measure(bench, contender, count))
}

/** @returns requests per second at its end */
async function warmUp(bench: Bench, contender: Contender, seconds: number): Promise<number> {
  let rate = 2_000
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) rate = (await measure(bench, contender, Math.ceil(rate / 2))).perSecond
  return rate
}

async function measure(bench: Bench, contender: Contender, count: number): Promise<Round> {
  const { server, shape, stored, connections = 64 } = contender
  await contender.before?.()
  const first = stored?.first ?? bench.newOrders(count)
  const before = server.cpuMicros()
  const end = await bench.send({
    shape,
    port: server.port,
    connections,
    first,
    count,
    different: stored?.count,
  })
  // Else it would still be at it while the next is measured.
  await server.idle(mostMsAfterwards)
  return { ...end, cpuMicros: (server.cpuMicros() - before) / count }
}
