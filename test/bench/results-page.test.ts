import { expect, test } from 'vitest'
import { pageWith } from '../../bench/frame/results-page.ts'
import type { Section } from '../../bench/frame/section.ts'

const section = (name: string): Section => ({ name, goal: 1, runs: 'full', run: async () => [] })
const outcome = (name: string, value: number) => ({
  section: section(name),
  othersCores: Number.NaN,
  paceMs: [],
  results: [{ name: `${name} of all`, value, unit: '/s', spread: null }],
})
const order = [section('create'), section('lookup')]

test('a part that is measured anew leaves the others as they were', () => {
  const before = pageWith([outcome('create', 11), outcome('lookup', 22)], 'Monday', '', order)
  const after = pageWith([outcome('create', 33)], 'Friday', before, order)
  expect(after).toMatch(/## create\n\nFriday\.\n[^#]*33[^#]*## lookup\n\nMonday\.\n[^#]*22/)
  expect(after).not.toContain('| 11 |')
})

test('sections stand in their order whatever was measured first', () => {
  const before = pageWith([outcome('lookup', 22)], 'Monday', '', order)
  expect(pageWith([outcome('create', 11)], 'Friday', before, order)).toMatch(/## create[\s\S]*## lookup/)
})

test('a section that is no more is dropped', () => {
  const before = pageWith([outcome('create', 11)], 'Monday', '', order)
  expect(pageWith([], 'Friday', before, [section('lookup')])).not.toContain('create')
})

test('measuring nothing changes nothing', () => {
  const before = pageWith([outcome('create', 11), outcome('lookup', 22)], 'Monday', '', order)
  expect(pageWith([], 'Friday', before, order)).toBe(before)
})

test('what other programs took is told', () => {
  const page = pageWith([{ ...outcome('create', 11), othersCores: 1.26, paceMs: [] }], 'Monday', '', order)
  expect(page).toContain('\n\nMonday; meanwhile other programs had 1.3 cores.\n\n')
})

test('how steady the machine was is told', () => {
  const page = pageWith([{ ...outcome('create', 11), paceMs: [5.04, 4.84, 7.6] }], 'Monday', '', order)
  expect(page).toContain('\n\nMonday; the same piece of work took 4.8 to 7.6 ms, mostly 5.0.\n\n')
})
