import { expect, test, vi } from 'vitest'
import { randomSeed } from '../../src/app/engine.ts'

const seeds = () => Array.from({ length: 1_000 }, randomSeed)

test('seeds are 16 hexadecimal digits, and no two are alike', () => {
  const made = seeds()
  expect(made.filter((seed) => !/^[0-9a-f]{16}$/.test(seed))).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test.each([0, 0.5, 1 - 2 ** -53])('no two are alike where chance always answers %d', (chance) => {
  vi.spyOn(Math, 'random').mockReturnValue(chance)
  const made = seeds()
  expect(made.filter((seed) => !/^[0-9a-f]{16}$/.test(seed))).toEqual([])
  expect(new Set(made).size).toBe(made.length)
})

test('where chance answers alike in two processes, their seeds differ', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 1, system: 1 })
  const here = randomSeed()
  vi.spyOn(process, 'pid', 'get').mockReturnValue(process.pid + 1)
  expect(randomSeed().slice(0, 8)).not.toBe(here.slice(0, 8))
})
