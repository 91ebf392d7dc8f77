import { expect, test } from 'vitest'
import { verdictOf } from '../../bench/frame/verdict.ts'
import { type GoalName, goals } from '../../bench/goals.ts'

test.each<[GoalName, number, number, '' | 'ok' | 'MISSED', string]>([
  ['create, in a file', 0.2, 4, 'ok', 'just the must'],
  ['create, in a file', 0.199, 4, 'MISSED', 'a ratio below its must'],
  ['create, in a file', 0.199, 2, 'MISSED', 'a ratio has no allowance for few cores'],
  ['start to the first answer', 5.01, 2, 'MISSED', 'nor has one that is better lower'],
  ['webhook lateness at 500/s, p99', 31, 4, 'MISSED', 'milliseconds on four cores'],
  ['webhook lateness at 500/s, p99', 90, 2, 'ok', 'three times the must on two cores'],
  ['webhook lateness at 500/s, p99', 91, 2, 'MISSED', 'more than three times'],
  ['1,000 orders, their whole lifecycle in one advance', 400, 3, 'ok', 'a third of a rate on three cores'],
  ['1,000 orders, their whole lifecycle in one advance', 399, 3, 'MISSED', 'less than a third'],
  ['memory, idle', 141, 2, 'MISSED', 'memory has no allowance'],
  ['create, one connection, p50', 100, 4, '', 'a figure without a must fails nothing'],
  ['create, in a file', Number.NaN, 4, 'MISSED', 'what could not be measured'],
])('%s of %d on %i cores: "%s" (%s)', (goal, value, cores, expected) => {
  expect(verdictOf({ goal, values: [value] }, cores)).toBe(expected)
})

test('the median counts, not the worst round', () => {
  expect(verdictOf({ goal: 'memory, idle', values: [100, 100, 900] })).toBe('ok')
  expect(verdictOf({ goal: 'memory, idle', values: [] })).toBe('MISSED')
})

test.each(Object.entries(goals))('the must of %s does not ask for more than its aim', (_, goal) => {
  if (goal.must === null) return
  const [better, worse] = goal.better === 'higher' ? [goal.aim, goal.must] : [goal.must, goal.aim]
  expect(better).toBeGreaterThan(worse)
})
