import { expect, test } from 'vitest'
import { chooseSections, parseChoice } from '../../bench/frame/choice.ts'
import type { Section } from '../../bench/frame/section.ts'

const section = (name: string, runs: Section['runs']): Section => ({
  name,
  goal: 1,
  runs,
  run: async () => [],
})
const all = [section('create', 'always'), section('growth', 'full'), section('five-million', 'asked')]
const names = (...words: string[]) => chooseSections(all, parseChoice(words)).map(({ name }) => name)

test.each([
  [[], ['create', 'growth']],
  [['--quick'], ['create']],
  [
    ['--only', 'growth,create'],
    ['create', 'growth'],
  ],
  [['--quick', '--only', 'growth'], ['growth']],
  [['--five-million'], ['five-million']],
])('%j runs %j', (words, expected) => {
  expect(names(...words)).toEqual(expected)
})

test('a section that is not there is refused with those that are', () => {
  expect(() => names('--only', 'create,grwth')).toThrow('grwth; there are create, growth, five-million')
})

test.each([
  [[], true],
  [['--quick'], false],
  [['--only', 'create'], false],
  [['--only', 'create', '--record'], true],
])('%j is recorded: %s', (words, record) => {
  expect(parseChoice(words).record).toBe(record)
})
