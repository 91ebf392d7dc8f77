import { z } from 'zod'
import type { Bench } from '../frame/bench.ts'
import type { Goal, Result, Section } from '../frame/section.ts'
import type { Server } from '../frame/server.ts'
import { median, quantile, ratios, spread } from '../frame/statistics.ts'
import { isDecided } from '../frame/verdict.ts'
import type { LoadEnd } from '../load/load.ts'
import { create } from '../load/requests.ts'
import { bareDueAt } from '../servers/bare-lives.ts'
import { control } from './control.ts'
import { addPending, makeDue } from './pending-world.ts'
import { type Arrivals, Receiver } from './receiver.ts'

const million = 1_000_000
/** A slow moment of the machine decides the slowest hundredth of its round: of so many rounds, most have none. Where it has
 *  many of them, there are up to twice as many rounds. */
const rounds = { least: 7, most: 15 }
/** Orders a second, two webhooks each. */
const perSecond = 250
/** The second webhook of an order comes five seconds after the first, so that only then there are 500 a second. */
const [seconds, countsFromSecond] = [10, 5]
const dayMs = 86_400_000

const figures = ['p50', 'p99'] as const
const aims = {
  p50: { aim: 2, better: 'lower', timed: true },
  p99: { aim: 10, better: 'lower', timed: true },
  beside: { aim: 1.3, better: 'lower' },
} satisfies Record<string, Goal>

/** What one round came to, milliseconds. */
interface Round {
  readonly p50: number
  readonly p99: number
  readonly createP99: number
}

/** How late webhooks arrive at 500 a second, in an empty file and among a million that are pending, beside those of the
 *  least program that sends as many; and how create calls fare while a million are due. */
export const lateness: Section = {
  name: 'lateness',
  goal: 4,
  runs: 'full',
  async run(bench) {
    const receiver = await Receiver.start(bench)
    const webhookUrl = `${receiver.url}/webhook`
    const database = await fullDatabase(bench, receiver)
    const alone = await bench.emulator({ webhookUrl, clock: 'real' })
    const beside = await bench.emulator({ webhookUrl, clock: 'real', database })
    const bare = await bench.program('bare-service', bench.newDatabase(), receiver.url)
    const least: Round[] = []
    const few: Round[] = []
    const many: Round[] = []
    for (let round = 1; round <= rounds.least || (round <= rounds.most && !isTold(few, many)); round++) {
      bench.say(
        `lateness, ${round <= rounds.least ? `round ${round} of ${rounds.least}` : `round ${round}: not certain yet`}`,
      )
      least.push(await measured(bench, bare, receiver, bareTimes))
      few.push(await measured(bench, alone, receiver, timesOf(alone)))
      many.push(await measured(bench, beside, receiver, timesOf(beside)))
    }
    await Promise.all([alone.stop(), beside.stop(), bare.stop()])
    bench.say('makes a million webhooks due')
    makeDue(database, Date.now())
    const backlog = await bench.emulator({ webhookUrl, clock: 'real', database })
    const during = await createsMeanwhile(bench, backlog)
    await backlog.stop('SIGKILL')
    return resultsOf({ least, few, many }, during)
  },
}

/** A million orders, each with a step and a webhook that are due tomorrow; and the client with its clock and URL, which
 *  later starts leave as they are. */
async function fullDatabase(bench: Bench, receiver: Receiver): Promise<string> {
  bench.say('makes a million pending webhooks')
  const database = bench.newDatabase()
  const made = await bench.emulator({ database, webhookUrl: `${receiver.url}/webhook`, clock: 'real' })
  const whole = receiver.expect(2)
  await bench.store(made, 1)
  await whole
  await made.stop()
  addPending(database, million, Date.now() + dayMs)
  return database
}

/** Whether the rounds tell of each goal if it is reached. */
const isTold = (few: readonly Round[], many: readonly Round[]): boolean =>
  figures.every((figure) => {
    const [alone, beside] = [of(few, figure), of(many, figure)]
    return isDecided(alone, aims[figure]) && isDecided(ratios(beside, alone), aims.beside)
  })

const of = (done: readonly Round[], figure: keyof Round): number[] => done.map((round) => round[figure])

/** @returns when each of these webhooks was due, epoch milliseconds, by its id */
type Times = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>

async function measured(bench: Bench, server: Server, receiver: Receiver, times: Times): Promise<Round> {
  const count = perSecond * seconds
  const arrived = receiver.expect(2 * count)
  const { p99Ms } = await creates(bench, server, count)
  const arrivals = await arrived
  const late = latenessOf(arrivals, await times(arrivals.ids))
  return { p50: quantile(late, 0.5), p99: quantile(late, 0.99), createP99: p99Ms }
}

async function createsMeanwhile(bench: Bench, emulator: Server): Promise<number[]> {
  const p99s: number[] = []
  for (let round = 1; round <= rounds.least; round++) {
    const { p99Ms } = await creates(bench, emulator, perSecond * seconds)
    p99s.push(p99Ms)
  }
  return p99s
}

/** At an even pace, whether or not those before have been answered. */
const creates = (bench: Bench, { port }: Server, count: number): Promise<LoadEnd> =>
  bench.send({ shape: create, port, connections: 64, first: bench.newOrders(count), count, perSecond })

const page = z.object({
  items: z.array(z.object({ webhookId: z.string(), dueAt: z.number().nullable() })),
  next: z.string().nullable(),
})

/** Milliseconds from the moment when each webhook was due to its arrival. */
function latenessOf({ ids, moments }: Arrivals, times: ReadonlyMap<string, number>): number[] {
  const from = (moments[0] ?? 0) + countsFromSecond * 1000
  const until = (moments[0] ?? 0) + seconds * 1000
  return ids.flatMap((id, index) => {
    const [dueAt, at] = [times.get(id), moments[index]]
    return dueAt !== undefined && at !== undefined && dueAt >= from && dueAt < until ? [at - dueAt] : []
  })
}

const bareTimes: Times = async (ids) => new Map(ids.map((id) => [id, bareDueAt(id)]))

const timesOf =
  (emulator: Server): Times =>
  async (ids) => {
    const times = new Map<string, number>()
    let cursor = ''
    for (let left = ids.length; left > 0; ) {
      const answer = await control(emulator, 'GET', `/deliveries?order=newest&limit=500${cursor}`)
      const { items, next } = page.parse(answer)
      for (const { webhookId, dueAt } of items) if (dueAt !== null) times.set(webhookId, dueAt)
      left -= items.length
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    return times
  }

type Rounds = Readonly<Record<'least' | 'few' | 'many', readonly Round[]>>

function resultsOf({ least, few, many }: Rounds, during: readonly number[]): Result[] {
  const lines = figures.flatMap((figure): Result[] => {
    const [bare, alone, beside] = [of(least, figure), of(few, figure), of(many, figure)]
    const shares = ratios(beside, alone)
    return [
      {
        name: `the bare program's lateness at ${2 * perSecond}/s, ${figure}`,
        ...{ value: median(bare), unit: 'ms', spread: spread(bare) },
      },
      {
        name: `webhook lateness at ${2 * perSecond}/s, ${figure}`,
        ...{ value: median(alone), unit: 'ms', spread: spread(alone) },
        goal: aims[figure],
      },
      {
        name: `the same with a million pending, ${figure}`,
        ...{ value: median(shares), unit: 'x few pending', spread: spread(shares) },
        goal: aims.beside,
        note: `${median(beside).toFixed(2)} ms`,
      },
    ]
  })
  const usual = of(many, 'createP99')
  return [
    ...lines,
    {
      name: 'create, p99 while a million webhooks are due',
      value: median(during) / median(usual),
      ...{ unit: 'x none due', spread: spread(during) },
      goal: { aim: 3, better: 'lower' },
      note: `${median(during).toFixed(1)} ms; none due ${median(usual).toFixed(1)} ms`,
    },
  ]
}
