import { expect, test } from 'vitest'
import { type Measured, tableOf, verdictOn } from '../../bench/table.ts'

const measured = (name: string, perSecond: number[], must?: number): Measured => {
  const goal = must === undefined ? {} : { ceiling: 'bare', goal: { aim: 0.5, must } }
  return { measurement: { name, kind: 'hello', server: 'ceilings', count: 1, ...goal }, perSecond }
}

test.each([
  [[40, 40, 40], true, 'at what it must reach'],
  [[39, 39, 39], false, 'just below'],
  [[10, 45, 45], true, 'one bad round'],
])('%j beside 100 a second with a must of 0.4 is ok: %s, %s', (perSecond, ok) => {
  const bare = measured('bare', [100, 100, 100])
  expect(verdictOn(measured('ours', perSecond, 0.4), [bare])?.ok).toBe(ok)
})

test('a round is compared with the same round of its ceiling', () => {
  const bare = measured('bare', [100, 200, 400])
  expect(verdictOn(measured('ours', [50, 100, 200], 0.4), [bare])?.ratio).toBe(0.5)
})

test('what is too slow stands out in the table', () => {
  const all = [measured('bare', [100]), measured('ours', [10], 0.4)]
  expect(tableOf(all)).toMatch(/^ours .* 0\.100 .* TOO SLOW$/m)
})
