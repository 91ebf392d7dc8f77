import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programFile } from '../frame/bench.ts'
import type { Section } from '../frame/section.ts'
import { median, ratios } from '../frame/statistics.ts'

const [programStarts, libraryStarts] = [21, 9]

/** How soon the program and the library are there. */
export const start: Section = {
  name: 'start',
  async run(bench) {
    const times: { nothing: number[]; program: number[] } = JSON.parse(
      await outputOf('starts', bench.folder, String(programStarts)),
    )
    const library: number[][] = []
    // The first one fills caches.
    for (let n = 0; n <= libraryStarts; n++) library.push(JSON.parse(await outputOf('library-times')))
    const lap = (place: number) => library.slice(1).map((laps) => laps[place] ?? Number.NaN)
    return [
      {
        goal: 'start to the first answer',
        values: ratios(times.program, times.nothing),
        note: `${median(times.program).toFixed(0)} ms beside ${median(times.nothing).toFixed(0)} ms`,
      },
      { goal: 'first startEmulator of a process', values: lap(0) },
      { goal: 'later startEmulator', values: lap(1) },
      { goal: 'createClient', values: lap(2) },
      { goal: 'reset', values: lap(3) },
    ]
  },
}

async function outputOf(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [programFile(program), ...words])
  return stdout
}
