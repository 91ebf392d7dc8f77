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

/** How long a server may take to end what it does after its answers, such as moving its log into the file. */
const mostMsAfterwards = 2_000

/** Measures all contenders in every round, one after the other, so that a machine that slows down slows all of them.
 *  The warm-up lets the compiler settle and finds how many requests fill a round.
 *  @param enough whether the rounds so far tell enough; there are up to three times as many else */
export async function interleave(
  bench: Bench,
  contenders: readonly Contender[],
  enough: (measured: readonly Measured[]) => boolean,
): Promise<Measured[]> {
  const length = bench.quick ? lengths.quick : lengths.full
  const runs: { contender: Contender; count: number; rounds: Round[] }[] = []
  for (const contender of contenders) {
    bench.say(`${contender.name}: warms up`)
    const rate = await warmUp(bench, contender, length.warmUpSeconds)
    runs.push({ contender, count: contender.count ?? Math.ceil(rate * length.seconds), rounds: [] })
  }
  for (let round = 1; round <= length.least || (round <= length.most && !enough(runs)); round++) {
    bench.say(round <= length.least ? `round ${round} of ${length.least}` : `round ${round}: not steady yet`)
    for (const { contender, count, rounds } of runs) rounds.push(await measure(bench, contender, count))
  }
  return runs
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
