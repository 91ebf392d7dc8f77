import { spawnSync } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import type { Bench } from './frame/bench.ts'
import type { Goal, Result, Section } from './frame/section.ts'
import { median, ratios, spread, uncertainty } from './frame/statistics.ts'
import { libraryTimes } from './start/library-times.ts'
import { emulatorCommand, leastCommand, npmStart, Starter } from './start/starter.ts'

/** A line of the results that is not made yet: what each round has measured. */
type Rounds = Readonly<Record<string, number[]>>

/** How soon the program and the library are there, and what they compute until then. */
export const coldStart: Section = {
  name: 'cold-start',
  goal: 6,
  runs: 'full',
  async run(bench) {
    const rounds = bench.quick ? { least: 7, most: 7 } : { least: 21, most: 63 }
    bench.say('makes a file with 100,000 orders')
    const large = await fileWith(bench, 100_000)
    const small = await fileWith(bench, 10)
    const megabytes = statSync(large).size / 1e6
    const starter = new Starter(bench)
    const starts = {
      nothing: () => starter.nothing(),
      least: () => starter.start(leastCommand),
      memory: () => starter.start(emulatorCommand(':memory:')),
      fresh: () => starter.start(emulatorCommand(bench.newDatabase())),
      small: () => starter.start(emulatorCommand(small)),
      large: () => starter.start(emulatorCommand(large)),
    }
    bench.say('starts the program again and again')
    const walls = await interleaved(bench, starts, rounds)
    const fromDisk = (): Promise<number> => {
      dropFromCache(large)
      return starter.start(emulatorCommand(large))
    }
    const slow = await interleaved(
      bench,
      { npm: () => starter.start(npmStart), ...(dropFromCache(large) ? { fromDisk } : {}) },
      { least: 5, most: 5 },
    )
    bench.say('starts the library again and again')
    const library = await libraryTimes(rounds.least)
    return [
      beside('the least: node:http, Response, SQLite', walls, 'least'),
      beside('start, in memory', walls, 'memory', 2.6),
      beside('start, a new file', walls, 'fresh', 2.6),
      beside('start, a small file', walls, 'small', 2.6),
      ofLargeFile(walls, megabytes),
      ...ofFileFromDisk(slow, megabytes),
      inMs('npm start', slow.npm ?? [], 1_200),
      inMs('library, first startEmulator', library.start, 100),
      inMs('library, createClient', library.client, 3),
      inMs('library, reset', library.reset, 3),
      inMs('library, first createClient after the start', library.firstClient),
      inMs('library, first create call after the start', library.order),
    ]
  },
}

/** By how much the median of a start beside that of a Node that does nothing may differ if all is measured again. */
const enoughCertainty = 0.05

/** Takes turns, after two rounds that fill caches, until the medians beside a Node that does nothing are certain enough.
 *  @returns what each round took, in milliseconds */
async function interleaved(
  { pace }: Bench,
  acts: Readonly<Record<string, () => Promise<number>>>,
  rounds: { readonly least: number; readonly most: number },
): Promise<Rounds> {
  const took: Record<string, number[]> = {}
  const enough = ({ nothing = [], ...others }: Rounds) =>
    Object.values(others).every((ms) => uncertainty(ratios(ms, nothing)) <= enoughCertainty)
  for (let round = -2; round < rounds.least || (round < rounds.most && !enough(took)); round += 1) {
    await pace.look()
    for (const [name, act] of Object.entries(acts)) {
      const ms = await act()
      if (round >= 0) took[name] = [...(took[name] ?? []), ms]
    }
  }
  return took
}

/** A file that a program has left behind in good order. */
async function fileWith(bench: Bench, orders: number): Promise<string> {
  const database = bench.newDatabase()
  const emulator = await bench.emulator({ database })
  await bench.store(emulator, orders)
  await emulator.stop()
  const copy = bench.newDatabase()
  copyFileSync(database, copy)
  return copy
}

/** Has the system forget what it keeps of a file in memory, as if the machine had just started; it keeps what it has not
 *  written to the disk yet. @returns whether it could be asked to: GNU's `dd` on Linux */
function dropFromCache(file: string): boolean {
  return spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' }).status === 0
}

/** Beside a Node that does nothing. */
function beside(name: string, walls: Rounds, which: string, aim?: number): Result {
  const [own = [], node = []] = [walls[which], walls.nothing]
  const shares = ratios(own, node)
  const note = `${median(own).toFixed(1)} ms; node -e 0 ${median(node).toFixed(1)} ms`
  return {
    name,
    value: median(shares),
    unit: 'x node -e 0',
    spread: spread(shares),
    ...goalOf(aim),
    note,
  }
}

/** Beside the small file, once what checking its pages may take has been taken off. */
function ofLargeFile({ large = [], small = [] }: Rounds, megabytes: number): Result {
  const allowedMs = 1.5 * megabytes
  const shares = ratios(
    large.map((ms) => ms - allowedMs),
    small,
  )
  const note = `${median(large).toFixed(0)} ms for ${megabytes.toFixed(0)} MB, of which the check may take ${allowedMs.toFixed(0)} ms; a small file ${median(small).toFixed(1)} ms`
  return {
    name: 'start, a file with 100,000 orders, less its check',
    ...{ value: median(shares), unit: 'x small file', spread: spread(shares) },
    goal: { aim: 1.5, better: 'lower' },
    note,
  }
}

/** Information: the disk decides most of it. */
function ofFileFromDisk({ fromDisk = [] }: Rounds, megabytes: number): Result[] {
  if (fromDisk.length === 0) return []
  return [
    {
      ...inMs('start, the same file while none of it is in memory', fromDisk),
      note: `${(median(fromDisk) / megabytes).toFixed(1)} ms a megabyte`,
    },
  ]
}

function inMs(name: string, ms: readonly number[], aim?: number): Result {
  return { name, value: median(ms), unit: 'ms', spread: spread(ms), ...goalOf(aim, { timed: true }) }
}

/** Without an aim, a line is information. */
const goalOf = (aim?: number, more: Pick<Goal, 'timed'> = {}): Pick<Result, 'goal'> =>
  aim === undefined ? {} : { goal: { aim, better: 'lower', ...more } }
