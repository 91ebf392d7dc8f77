import { setTimeout as pause } from 'node:timers/promises'
import type { Result, Section } from './frame/section.ts'

const creates = 1_000_000

/** So long after its start V8 has given back what it has no use for. */
const startedMs = 15_000

/** So long after a load the program has. */
const quietMs = 40_000

/** How much memory the program has when nobody has asked for anything, and after a million create calls. */
export const memory: Section = {
  name: 'memory',
  goal: 7,
  runs: 'full',
  async run(bench) {
    const emulator = await bench.emulator()
    await pause(startedMs)
    const idle = emulator.residentMb()
    let most = idle
    const looking = setInterval(() => {
      most = Math.max(most, emulator.residentMb())
    }, 100)
    const part = 50_000
    for (let done = 0; done < creates; done += part) {
      bench.say(`${done.toLocaleString('en')} creates, ${Math.round(emulator.residentMb())} MB`)
      await bench.store(emulator, part)
    }
    clearInterval(looking)
    const loaded = emulator.residentMb()
    await pause(quietMs)
    return [
      megabytes('idle', idle, 90),
      {
        ...megabytes('at the end of a million creates', loaded, 200),
        note: `at most ${Math.round(most)} MB`,
      },
      { name: 'forty seconds later', value: emulator.residentMb(), unit: 'MB', spread: null },
    ]
  },
}

const megabytes = (name: string, value: number, aim: number): Result => ({
  ...{ name, value, unit: 'MB', spread: null },
  goal: { aim, better: 'lower' },
})
