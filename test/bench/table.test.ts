import { expect, test } from 'vitest'
import type { Outcome } from '../../bench/frame/section.ts'
import { figure, markdownTable, textTable } from '../../bench/frame/table.ts'

const section = { name: 'create', goal: 1, runs: 'always', run: async () => [] } as const
const outcome: Outcome = {
  section,
  othersCores: 0,
  paceMs: [],
  results: [
    { name: 'fast', value: 0.5, unit: 'x echo', spread: 0.12, goal: { aim: 0.4, better: 'higher' } },
    { name: 'slow', value: 0.1, unit: 'x echo', spread: null, goal: { aim: 0.4, better: 'higher' } },
    { name: 'by the way', value: 12_345.6, unit: '/s', spread: null, note: 'nothing else ran' },
  ],
}

test('what misses its must stands out', () => {
  expect(textTable([outcome])).toMatch(/^ {3}1 {2}fast +0\.5 .* 12 % +0\.4 +0\.34 +ok$/m)
  expect(textTable([outcome])).toMatch(/^ {3}1 {2}slow .* MISSED$/m)
})

test('a figure that is right for a slow machine says so', () => {
  const timed = { aim: 100, better: 'lower', timed: true } as const
  const results = [{ name: 'waits', value: 190, unit: 'ms', spread: null, goal: timed }]
  expect(textTable([{ ...outcome, results, paceMs: [4] }])).toMatch(/waits +190 .* ok at this pace$/m)
})

test('a section that failed says why', () => {
  expect(textTable([{ section, results: [], failure: 'no port', othersCores: 0, paceMs: [] }])).toMatch(
    /create .* FAILED +no port$/m,
  )
})

test('a line of information has neither aim nor verdict', () => {
  expect(markdownTable(outcome)).toContain('| 1 | by the way | 12,346 | /s |  |  |  |  | nothing else ran |')
})

test.each([
  [0.412_34, '0.412'],
  [9.999, '10'],
  [99.96, '100'],
  [1_234.5, '1,235'],
])('%d is written %s', (value, text) => {
  expect(figure(value)).toBe(text)
})
