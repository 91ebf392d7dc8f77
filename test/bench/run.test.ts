import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { chosenBy, outcomesOf, runBench } from '../../bench/frame/run.ts'
import type { Figure, Section } from '../../bench/frame/section.ts'

beforeEach(() => {
  const silenced = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const spy of silenced) spy.mockImplementation(() => {})
  onTestFinished(() => {
    for (const spy of silenced) spy.mockRestore()
  })
})

const section = (name: string, values: readonly number[] = [1], quick?: true): Section => ({
  name,
  ...(quick && { quick }),
  run: async (): Promise<Figure[]> => [{ goal: 'create, in a file', values }],
})
const failing: Section = { name: 'broken', run: () => Promise.reject(new Error('no port')) }
const all = [section('create', [1], true), section('growth'), section('memory')]

test.each([
  [[], ['create', 'growth', 'memory'], true],
  [['--quick'], ['create'], false],
  [['--only', 'memory,create'], ['create', 'memory'], false],
  [['--quick', '--only', 'growth'], ['growth'], false],
])('%j runs %j and writes the page: %s', (words, names, isWhole) => {
  const choice = chosenBy(words, all)
  expect(choice.sections.map(({ name }) => name)).toEqual(names)
  expect(choice.isWhole).toBe(isWhole)
})

test.each([
  ['a section that does not exist', ['--only', 'create,grwth'], 2],
  ['an option that does not exist', ['--rounds', '3'], 2],
  ['a value that is no section at all', ['--only', ''], 2],
  ['a must that is met', ['--only', 'create'], 0],
  ['a must that is missed', ['--only', 'slow'], 1],
  ['a section that fails beside one that is met', ['--only', 'create,broken'], 1],
])('%s: %j ends with %i', async (_, words, exitCode) => {
  const sections = [...all, section('slow', [0.1]), failing]
  expect(await runBench('npm run bench', sections, words)).toBe(exitCode)
})

test('an unknown section is refused with the names of those that exist', () => {
  expect(() => chosenBy(['--only', 'grwth'], all)).toThrow(
    '"grwth". The sections are create, growth, memory.',
  )
})

test('a section that fails says why, and the sections after it are measured', async () => {
  const [broken, measured] = await outcomesOf([failing, section('create')], true)
  expect(broken).toMatchObject({ section: 'broken', figures: [], failure: 'Error: no port' })
  expect(measured?.figures).toHaveLength(1)
})
