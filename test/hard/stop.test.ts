import { randomInt } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { spawnProgram } from '../cli/spawned.ts'
import { aftermath, expectNothingLost } from './support/aftermath.ts'
import { report } from './support/figures.ts'
import { startJudge } from './support/judge.ts'
import { aFolder } from './support/load.ts'
import { ordeal } from './support/ordeal.ts'
import { sized } from './support/size.ts'

const creators = 16
/** The promises; a slow machine may take three times as long. */
const stopsWithinMs = 5_000
const lastAnswerWithinMs = 1_000

const ways: readonly (readonly NodeJS.Signals[])[] = [
  ['SIGTERM'],
  ['SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
]

const rounds = sized({ whole: 2, part: 1 })

test(`${rounds * ways.length} stops under full load: clean within 5 s, and only what was never answered is repeated`, async () => {
  const stops: Stop[] = []
  // Several at a time: most of it is waiting for the one that hangs.
  for (let round = 0; round < rounds; round++) stops.push(...(await Promise.all(ways.map(stopped))))
  report({
    area: 'stop',
    promise: 'Told to stop under load, the program ends cleanly and repeats only what was never answered',
    test: 'test/hard/stop.test.ts',
    figures: {
      stops: stops.length,
      acknowledged: sum(stops.map(({ acknowledged }) => acknowledged)),
      'last create answered ms': Math.round(Math.max(...stops.map(({ lastAnswerMs }) => lastAnswerMs))),
      'creates cut': sum(stops.map(({ cut }) => cut)),
      'leased left, without those unanswered': sum(
        stops.map(({ leased, hung }) => leased.filter((id) => id !== hung).length),
      ),
      'events lost': sum(stops.map(({ after }) => after.lost.length + after.forgotten.length)),
      repeats: sum(stops.map(({ after }) => after.repeatedAfterAccepted)),
      'unanswered repeated': sum(stops.map(({ repeated }) => repeated.length)),
      'stop max ms': Math.round(Math.max(...stops.map(({ stopMs }) => stopMs))),
    },
  })
  for (const {
    end,
    hung,
    leased,
    repeated,
    files,
    after,
    acknowledged,
    cut,
    stopMs,
    lastAnswerMs,
  } of stops) {
    expect(end).toBe(0)
    expect(files).toEqual(['e.db', 'settings.yaml'])
    expect(leased).toEqual([hung])
    expect(repeated).toEqual([hung])
    expect(acknowledged).toBeGreaterThan(0)
    expect(cut).toBe(0)
    expectNothingLost(after)
    expect(after.repeatedAfterAccepted).toBe(0)
    expect(lastAnswerMs).toBeLessThan(3 * lastAnswerWithinMs)
    expect(stopMs).toBeLessThan(3 * stopsWithinMs)
  }
})

type Stop = Awaited<ReturnType<typeof stopped>>

async function stopped(signals: readonly NodeJS.Signals[]) {
  const folder = aFolder()
  const file = join(folder, 'e.db')
  const settings = join(folder, 'settings.yaml')
  writeFileSync(settings, 'webhook.timeout: 60s\n')
  let hung = ''
  const judge = await startJudge(({ id }) => {
    if (hung !== '') return randomInt(10) === 0 ? { status: 200, afterMs: 100 } : 200
    hung = id
    return 'hang'
  })
  const args = ['--clock', '60x', '--database', file, '--settings', settings, '--webhook-url', judge.url]
  let told = 0
  let stopMs = 0
  const { acknowledged, unanswered, refused, lastAnsweredAt, ends } = await ordeal({
    lives: 1,
    creators,
    args,
    kill: async ({ child, exited }) => {
      // On a slow machine the first webhook takes longer than the load.
      await judge.until(() => hung !== '')
      await pause(randomInt(300, 600))
      told = performance.now()
      for (const signal of signals) {
        child.kill(signal)
        await pause(300)
      }
      await exited
      stopMs = performance.now() - told
    },
  })
  expect(refused).toBe(0)
  const files = readdirSync(folder)
  const leased = leasedIn(file)
  const before = judge.arrivals.length
  const after = await aftermath(args, judge, acknowledged)
  const known = new Set(judge.arrivals.slice(0, before).map(({ id }) => id))
  const repeated = judge.arrivals.slice(before).flatMap(({ id }) => (known.has(id) ? [id] : []))
  // The request came, and its answer never went.
  const cut = unanswered.flat().filter((id) => after.orders.has(id)).length
  return {
    end: ends[0],
    acknowledged: acknowledged.length,
    cut,
    hung,
    leased,
    repeated,
    files,
    after,
    stopMs,
    lastAnswerMs: lastAnsweredAt - told,
  }
}

/** The `webhook-id`s of what is still claimed, or of which the outcome is unknown. */
function leasedIn(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const leased = sqlite
    .prepare<[], string>(
      `select webhook_id from deliveries where in_flight = 1 or outcome = 'unknown'
       union select webhook_id from deliveries join attempts on delivery_seq = seq where attempts.outcome = 'unknown'`,
    )
    .pluck()
    .all()
  sqlite.close()
  return leased
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test.each([
  ['SIGTERM', 128 + 15],
  ['SIGKILL', 'SIGKILL'],
] as const)('after %s to exec a program that ignores SIGTERM is killed', async (signal, end) => {
  // A first request is answered only after `exec` has begun to watch its command.
  const ask = 'fetch(process.env.EMULATOR_URL + "/_emulator/health").then(() => console.log("up"))'
  const code = `(trap '' TERM; sleep 600; sleep 600) & "$0" -e "$1"; wait`
  const command = ['/bin/sh', '-c', code, process.execPath, ask]
  const program = spawnProgram(['exec', '--', ...command], { detached: true })
  await program.wrote(/^up$/m)
  program.child.kill(signal)
  // It waits for the end of standard output as well, which all of them have open.
  expect(await program.ended).toBe(end)
})
