import { expect, test } from 'vitest'
import { randomSeed } from '../../src/lifecycle/random-seed.ts'

test('seeds are 16 hexadecimal digits, and no two are alike', () => {
  const seeds = Array.from({ length: 1_000 }, randomSeed)
  expect(seeds.filter((seed) => !/^[0-9a-f]{16}$/.test(seed))).toEqual([])
  expect(new Set(seeds).size).toBe(seeds.length)
})
