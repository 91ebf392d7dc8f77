import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { goals } from '../../bench/goals.ts'

const page = readFileSync('docs/explanation/performance.md', 'utf8')

/** The first number in a cell; null where there is none. */
const numberIn = (cell = ''): number | null => {
  const digits = /[\d.,]+/.exec(cell)?.[0]
  return digits === undefined ? null : Number(digits.replaceAll(',', ''))
}

test('docs/explanation/performance.md has the target and the minimum of every goal, in the same order', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'))
  const figures = rows.map((row) => row.split('|').slice(2, 4).map(numberIn))
  expect(figures).toEqual(Object.values(goals).map(({ aim, must }) => [aim, must]))
})
