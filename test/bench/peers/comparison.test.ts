import { expect, test } from 'vitest'
import { bareProgram } from '../../../bench/peers/bare-program.ts'
import { compare } from '../../../bench/peers/comparison.ts'
import { emulator } from '../../../bench/peers/emulator.ts'
import type { Figures } from '../../../bench/peers/measure.ts'
import { prism } from '../../../bench/peers/prism.ts'

const figures = (createsPerSecond: number, lessIsBetter = 1): Figures => ({
  createsPerSecond,
  lookupsPerSecond: 2 * createsPerSecond,
  coldStartMs: 100,
  createCpuMicros: lessIsBetter,
  residentMb: 2 * lessIsBetter,
  created: 1,
})
const entry = (peer: typeof prism, rounds: Figures[]) => ({ peer, version: '1', rounds })

test('a round is compared with the same round of the emulator', () => {
  // Rates that fall to a tenth for both, as on a machine that is busy for a while: the medians alone would say 10.
  const ours = [1_000, 100, 1_000].map((rate) => figures(rate))
  const others = [100, 50, 500].map((rate) => figures(rate))
  expect(compare([entry(emulator, ours), entry(prism, others)])[1]?.times).toMatchObject({
    creates: 2,
    lookups: 2,
  })
})

test('of memory and processor time the emulator takes less where the figure is above 1', () => {
  const [, line] = compare([entry(emulator, [figures(1, 50)]), entry(prism, [figures(1, 150)])])
  expect(line?.times).toMatchObject({ createCpu: 3, memory: 3 })
})

test('the emulator is compared with nothing', () => {
  expect(compare([entry(emulator, [figures(1)])])[0]?.times).toBeNull()
})

test('each tool is compared with the bare program, too, which is none', () => {
  const all = compare([
    entry(emulator, [figures(90, 12)]),
    entry(bareProgram, [figures(100, 10)]),
    entry(prism, [figures(25, 40)]),
  ])
  expect(all.map(({ floor }) => floor)).toEqual([
    null,
    null,
    expect.objectContaining({ creates: 4, memory: 4 }),
  ])
})

test('without the bare program nothing is said of it', () => {
  expect(compare([entry(emulator, [figures(1)]), entry(prism, [figures(1)])])[1]?.floor).toBeNull()
})
