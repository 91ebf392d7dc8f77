import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endingOf } from './support/endings.ts'
import { percentile, report } from './support/figures.ts'
import { type Judge, startJudge } from './support/judge.ts'
import { killedBy, proofsIn } from './support/killers.ts'
import { aFolder, connect, create } from './support/load.ts'
import { startProgram } from './support/program.ts'
import { stepByStep } from './support/step-by-step.ts'
import { drained, worldOf } from './support/whole.ts'

const orders = 10

/** Lays a database where the program starts; answers how many orders are in it. */
type Lay = (file: string, judge: Judge) => number | Promise<number>
const beginnings: readonly (readonly [string, Lay])[] = [
  ['no database', () => 0],
  ['what a kill has left', aKilledDatabase],
]

test.each(beginnings)(
  'a start with %s may die at each of its steps, and the next one works',
  async (name, lay) => {
    const judge = await startJudge()
    const template = aFolder()
    const laid = await lay(join(template, 'e.db'), judge)
    const kills = await stepByStep((nth) => killedAt(nth, { template, laid, judge }))
    const problems = kills.flatMap(({ step, problems }) =>
      problems.map((problem) => `before ${step}: ${problem}`),
    )
    report({
      area: 'crash',
      promise: `Killed at each step in a start with ${name}, the next start works and nothing is lost`,
      test: 'test/hard/kill-start.test.ts',
      figures: {
        kills: kills.length,
        'bad next starts': problems.length,
        'next start p50 ms': Math.round(
          percentile(
            kills.map(({ readyMs }) => readyMs),
            0.5,
          ),
        ),
      },
    })
    expect(problems).toEqual([])
    expect(kills.length).toBeGreaterThan(0)
  },
)

interface Kill {
  /** The next step that would have followed. */
  readonly step: string
  readonly readyMs: number
  readonly problems: readonly string[]
}

/** Kills a start and looks at the next one; null if it has no n-th step. */
async function killedAt(
  nth: number,
  { template, laid, judge }: { template: string; laid: number; judge: Judge },
): Promise<Kill | null> {
  const folder = aFolder()
  cpSync(template, folder, { recursive: true })
  const args = ['--clock', '60x', '--database', join(folder, 'e.db'), '--webhook-url', judge.url]
  const proof = join(aFolder(), 'proof')
  const { end, ready, stderr } = await endingOf(args, killedBy({ point: 'at a step', nth, proof }))
  if (ready) return null
  const step = proofsIn(proof)[0]?.sql.split('\n')[0] ?? ''
  const died = end === 'SIGKILL' && step !== '' ? [] : [`ended with ${end}: ${stderr}`]
  const { readyMs, problems } = await nextStart(args, folder, { laid, step }).catch((error: unknown) => ({
    readyMs: Number.NaN,
    problems: [String(error)],
  }))
  return { step, readyMs, problems: [...died, ...problems] }
}

async function nextStart(
  args: readonly string[],
  folder: string,
  { laid, step }: { laid: number; step: string },
): Promise<Omit<Kill, 'step'>> {
  const { child, exited, url, readyMs } = await startProgram(args)
  const status = await create(connect(url, 1), 'r-new')
  await drained(url, 10_000)
  const world = await worldOf(url)
  child.kill('SIGTERM')
  const end = await exited
  const files = readdirSync(folder).join()
  // A kill before the first byte leaves an empty lock file, which may be anybody's: it stays.
  const allowed = step === 'writeSync' ? ['e.db', 'e.db,e.db-lock'] : ['e.db']
  const wanted: readonly (readonly [boolean, string])[] = [
    [status === 200, `the create was answered with ${status}`],
    [world.half.length === 0, `half-written: ${world.half}`],
    [world.orders.size === laid + 1, `there are ${world.orders.size} orders`],
    [end === 0, `it ended with ${end}`],
    [allowed.includes(files), `it left ${files}`],
  ]
  return { readyMs, problems: wanted.flatMap(([holds, problem]) => (holds ? [] : [problem])) }
}

/** With webhooks in flight and a log that is not yet in the file. */
async function aKilledDatabase(file: string, judge: Judge): Promise<number> {
  const args = ['--clock', '60x', '--database', file, '--webhook-url', judge.url]
  const { child, exited, url } = await startProgram(args)
  const pool = connect(url, orders)
  const ids = Array.from({ length: orders }, (_, order) => `r-${order}`)
  expect(await Promise.all(ids.map((id) => create(pool, id)))).toEqual(Array(orders).fill(200))
  child.kill('SIGKILL')
  await exited
  return orders
}
