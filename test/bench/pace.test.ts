import { expect, test } from 'vitest'
import { Processes } from '../../bench/frame/processes.ts'
import { isUnsteady, Pace } from '../../bench/pace/pace.ts'

test.each([
  [[], false, 'nobody looked'],
  [[5], false, 'one look'],
  [[5, 6.4], false, 'a quarter more'],
  [[6.6, 5], true, 'a third more'],
])('a machine whose work took %j ms is unsteady: %s (%s)', (ms, unsteady) => {
  expect(isUnsteady(ms)).toBe(unsteady)
})

test('each look tells how long the work has taken', async () => {
  await using processes = new Processes()
  const pace = new Pace(processes)
  await pace.look()
  await pace.look()
  expect(pace.ms).toHaveLength(2)
  expect(Math.min(...pace.ms)).toBeGreaterThan(0)
})

test('a worker that has ended fails the look, and not the process', async () => {
  const processes = new Processes()
  const pace = new Pace(processes)
  await processes[Symbol.asyncDispose]()
  await expect(pace.look()).rejects.toThrow()
})
