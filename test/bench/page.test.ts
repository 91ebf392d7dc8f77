import { expect, test } from 'vitest'
import { figure, pageWith, tableOf } from '../../bench/frame/page.ts'

test('a missed must stands out', () => {
  const figures = [
    { goal: 'create, in a file', values: [0.5, 0.45, 0.55], note: '10 beside 20' } as const,
    { goal: 'create, in memory', values: [0.1] } as const,
    { goal: 'create, one connection, p50', values: [9] } as const,
  ]
  const rows = tableOf([{ section: 'create', figures }])
    .split('\n')
    .slice(2)
    .map((row) => row.replaceAll(/ +/g, ' '))
  expect(rows).toEqual([
    '| 1 | create, in a file | 0.5 | x Hono echo | 20 % | 0.28 | 0.2 | ok | 10 beside 20 |',
    '| 1 | create, in memory | 0.1 | x Hono echo | | 0.32 | 0.23 | MISSED | |',
    '| 1 | create, one connection, p50 | 9 | x Hono echo | | 4 | | | |',
  ])
})

test('a section that failed says why, in one row', () => {
  const table = tableOf([{ section: 'growth', figures: [], failure: 'Error: no | port\nat all' }])
  expect(table).toMatch(/growth .* FAILED +\| Error: no port at all \|$/)
})

test('a new block replaces the one with the same heading and leaves the other', () => {
  const first = pageWith(pageWith('', 'npm run bench', 'old'), 'npm run bench:peers', 'beside tools')
  const second = pageWith(first, 'npm run bench', 'new')
  expect(second).toMatch(/## npm run bench\n\nnew\n\n## npm run bench:peers\n\nbeside tools\n$/)
  expect(second).not.toContain('old')
})

test.each([
  [12_345.6, '12,346'],
  [141.4, '141'],
  [0.19876, '0.199'],
])('%d is written %s', (value, expected) => {
  expect(figure(value)).toBe(expected)
})
