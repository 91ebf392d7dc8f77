import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aftermath, expectNothingLost, figuresOf } from './support/aftermath.ts'
import { percentile, report } from './support/figures.ts'
import { firstRepeats, type Start } from './support/first-repeats.ts'
import { type Judge, startJudge, type Treatment } from './support/judge.ts'
import { killedBy, proofsIn } from './support/killers.ts'
import { aFolder, connect, create } from './support/load.ts'
import { type StartOptions, startProgram } from './support/program.ts'
import { sized } from './support/size.ts'
import { drained } from './support/whole.ts'

const kills = sized({ whole: 20, part: 3 })
/** The promise; a slow machine may take three times as long. */
const firstRepeatWithinMs = 2_000

test(`${kills} kills after the receiver has accepted and before that is recorded: one repeat each`, async () => {
  const folder = aFolder()
  const proof = join(folder, 'proof')
  const judge = await startJudge()
  // CREATED and COMPLETED take turns.
  const kill = (life: number, armedBy: string): StartOptions =>
    killedBy({ point: 'before the mark', nth: 1 + (life % 2), armedBy, proof })
  const { after, repeatMs } = await killedSending(folder, judge, kill)
  tell('Killed after the receiver has accepted, before that is recorded', after, repeatMs)
  expect(proofsIn(proof)).toHaveLength(kills)
  expectOneRepeatEach(judge, after, repeatMs)
  expect(after.repeatedAfterAccepted).toBe(kills)
})

test(`${kills} kills by the receiver before it answers: one repeat each`, async () => {
  const folder = aFolder()
  const life = { pid: 0, armedBy: '', seen: 0, dies: 1 }
  const treat = (): Treatment => {
    if (!existsSync(life.armedBy)) return 200
    life.seen += 1
    if (life.seen !== life.dies) return 200
    process.kill(life.pid, 'SIGKILL')
    return 'hang'
  }
  const judge = await startJudge(treat)
  const kill = (number: number, armedBy: string): StartOptions => {
    Object.assign(life, { armedBy, seen: 0, dies: 1 + (number % 2) })
    return {}
  }
  const { after, repeatMs } = await killedSending(folder, judge, kill, (pid) => {
    life.pid = pid
  })
  tell('Killed when the receiver has a webhook and has not answered', after, repeatMs)
  expectOneRepeatEach(judge, after, repeatMs)
  expect(after.repeatedAfterAccepted).toBe(0)
})

/** Lives of one order each. Each begins by sending what the one before has left, and dies in sending its own. */
async function killedSending(
  folder: string,
  judge: Judge,
  kill: (life: number, armedBy: string) => StartOptions,
  onPid: (pid: number) => void = () => {},
) {
  const args = ['--clock', '60x', '--database', join(folder, 'e.db'), '--webhook-url', judge.url]
  const starts: Start[] = []
  const begin = () => starts.push({ at: performance.now(), arrivals: judge.arrivals.length })
  const acknowledged: string[] = []
  for (let life = 0; life < kills; life++) {
    const armedBy = join(folder, `armed-${life}`)
    const options = kill(life, armedBy)
    begin()
    const { child, exited, url } = await startProgram(args, options)
    onPid(child.pid ?? 0)
    await drained(url, 10_000)
    writeFileSync(armedBy, '')
    if ((await create(connect(url, 1), `r-${life}`)) === 200) acknowledged.push(`r-${life}`)
    expect(await exited).toBe('SIGKILL')
  }
  begin()
  const after = await aftermath(args, judge, acknowledged)
  return { after, repeatMs: firstRepeats(judge.arrivals, starts) }
}

type Sent = Awaited<ReturnType<typeof killedSending>>

function tell(promise: string, after: Sent['after'], repeatMs: Sent['repeatMs']): void {
  report({
    area: 'crash',
    promise: `${promise}: repeated once, with the same id and bytes`,
    test: 'test/hard/kill-sending.test.ts',
    figures: {
      kills,
      ...figuresOf(after),
      'start to first repeat p50 ms': Math.round(percentile(repeatMs, 0.5)),
      'start to first repeat max ms': Math.round(Math.max(...repeatMs)),
    },
  })
}

function expectOneRepeatEach(judge: Judge, after: Sent['after'], repeatMs: Sent['repeatMs']): void {
  expectNothingLost(after)
  expect(after.orders.size).toBe(kills)
  // Its two events, and one of them twice.
  const arrivals = Map.groupBy(judge.arrivals, ({ requestId }) => requestId)
  for (const [requestId, those] of arrivals) {
    expect(those.length, requestId).toBe(3)
    expect(new Set(those.map(({ id }) => id)).size, requestId).toBe(2)
  }
  expect(repeatMs).toHaveLength(kills)
  expect(Math.max(...repeatMs)).toBeLessThan(3 * firstRepeatWithinMs)
}
