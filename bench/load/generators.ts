import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { coresEach } from '../frame/cores.ts'
import type { Processes } from '../frame/processes.ts'
import { quantile } from '../frame/statistics.ts'
import type { FromGenerator, Load, LoadEnd, Part, ToGenerator } from './load.ts'

/** The processes that send a load: one for each core of the load, since one alone would be slower than a bare server. */
export class Generators {
  readonly #processes: readonly ChildProcess[]

  constructor(processes: Processes) {
    const file = new URL('main.ts', import.meta.url).pathname
    this.#processes = Array.from({ length: Math.max(1, coresEach) }, () =>
      processes.start([process.execPath, file], 'load'),
    )
  }

  /** Sends a load, shared out among the processes, which begin together.
   *  @throws if a request is not answered by 200 or 201 */
  async send(load: Load): Promise<LoadEnd> {
    const busy = this.#processes.slice(0, load.connections)
    const shares = sharesOf(load, busy.length)
    await Promise.all(busy.map((child, index) => told(child, { prepare: shares[index] ?? load })))
    const answers = await Promise.all(busy.map((child) => told(child, 'send')))
    const parts = answers.flatMap((answer) =>
      typeof answer === 'object' && 'part' in answer ? answer.part : [],
    )
    return endOf(load, parts)
  }
}

/** No load is so long; a server that answers no more ends its section, not the bench. */
const mostMs = 300_000

async function told(child: ChildProcess, message: ToGenerator): Promise<FromGenerator> {
  child.send(message)
  const [answer]: FromGenerator[] = await once(child, 'message', { signal: AbortSignal.timeout(mostMs) })
  if (answer === undefined) throw new Error('the load told nothing')
  if (typeof answer === 'object' && 'failure' in answer) throw new Error(answer.failure)
  return answer
}

/** Parts of a load that have no number in common, as far as there are numbers enough. */
export function sharesOf(load: Load, count: number): Load[] {
  const { first, different, perSecond } = load
  const part = (whole: number, index: number) =>
    Math.floor((whole * (index + 1)) / count) - Math.floor((whole * index) / count)
  const before = (whole: number, index: number) => Math.floor((whole * index) / count)
  return Array.from({ length: count }, (_, index) => ({
    ...load,
    connections: part(load.connections, index),
    count: part(load.count, index),
    first: first + before(different ?? load.count, index),
    different: different === undefined ? undefined : part(different, index),
    perSecond: perSecond === undefined ? undefined : perSecond / count,
  }))
}

function endOf({ count }: Load, parts: readonly Part[]): LoadEnd {
  const latencies = Float64Array.from(parts.flatMap((part) => [...part.latencies]))
  return {
    perSecond: count / Math.max(...parts.map(({ seconds }) => seconds)),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    generatorBusy: Math.max(...parts.map(({ cpuSeconds, seconds }) => cpuSeconds / seconds)),
  }
}
