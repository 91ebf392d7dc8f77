import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allCases } from '../../../src/conform/cases/all.ts'
import { least } from './support/explored.ts'
import {
  allBugs,
  allStoryBugs,
  applicationNames,
  providerVariants,
  slowVariants,
} from './support/references.ts'

const page = readFileSync(new URL('./matrix.md', import.meta.url), 'utf8')

/** The rows of the table that a command has written, without its lines. */
function rowsOf(command: string): string[][] {
  const [, after = ''] = page.split(`<!-- Written by ${command}. -->`)
  const [table = ''] = after.split(`<!-- End of what is written by ${command}. -->`)
  return table.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []))
}

const [head = [], , ...applications] = rowsOf('npm run matrix')
const correct = [...applicationNames, ...slowVariants().map(({ name }) => name)]

test('the matrix in the docs has a column for each case', () => {
  const columns = head.slice(2).map((cell) => `K${cell.replace(/\W/g, '')}`)
  expect(columns, 'run `npm run matrix`').toEqual(allCases.map(({ id }) => id))
})

test('the matrix in the docs has a row for each application, right or broken', () => {
  const names = applications.map(([cell = '']) => cell.replace(/,.*/, '').replaceAll('*', ''))
  const expected = [...correct, ...allBugs().map(({ application, name }) => `${application}: ${name}`)]
  expect(names.toSorted(), 'run `npm run matrix`').toEqual(expected.toSorted())
})

test('the matrix in the docs shows no FAIL for an application that is right', () => {
  const right = applications.filter(([cell = '']) => cell.includes('**'))
  expect(right).toHaveLength(correct.length)
  expect(right.flat().filter((cell) => cell.includes('**F**'))).toEqual([])
})

test.each(allBugs())('the matrix in the docs shows that $caughtBy catches $application: $name', (bug) => {
  const row = applications.find(([cell]) => cell === `${bug.application}: ${bug.name}`)
  const column = allCases.findIndex(({ id }) => id === bug.caughtBy)
  expect(row?.[column + 2], 'run `npm run matrix`').toMatch(/^\*\*[FW]\*\*/)
})

const [, , ...searches] = rowsOf('npm run matrix:stories')
const [, , ...correctSearches] = rowsOf('npm run matrix:stories for correct applications')

describe('what explore finds in broken applications, in the docs,', () => {
  const broken = searches.slice(0, -1)

  test('has a row for each', () => {
    const names = broken.map(([cell]) => cell)
    const expected = allStoryBugs().map(({ application, name }) => `${application}: ${name}`)
    expect(names.toSorted(), 'run `npm run matrix:stories`').toEqual(expected.toSorted())
  })

  test('is most of what is there, and repeats', () => {
    const found = broken.filter(([, promise]) => promise !== 'nothing')
    expect(found.length / broken.length).toBeGreaterThanOrEqual(least.share)
    const repeats = found.map((cells) => Number(cells.at(-1)?.split(' ')[0]))
    expect(Math.min(...repeats)).toBeGreaterThanOrEqual(least.repeats)
  })
})

test('explore finds nothing in 10,000 stories of each correct application, in the docs', () => {
  const names = correctSearches.map(([cell = '']) => cell.replaceAll('*', ''))
  const known = [...correct, ...providerVariants().map(({ name }) => name)]
  expect(known).toEqual(expect.arrayContaining(names))
  expect(names).toEqual(expect.arrayContaining([...applicationNames]))
  for (const [, stories, found] of correctSearches) {
    expect(Number(stories)).toBeGreaterThanOrEqual(10_000)
    expect(found).toBe('0')
  }
})
