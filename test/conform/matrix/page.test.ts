import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allCases } from '../../../src/conform/cases/all.ts'
import { allBugs, applicationNames, slowVariants } from './support/references.ts'

const page = readFileSync(new URL('./matrix.md', import.meta.url), 'utf8')
const rows = page.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')] : []))
const [head = [], , ...applications] = rows
const correct = [...applicationNames, ...slowVariants().map(({ name }) => name)]

test('the matrix in the docs has a column for each case', () => {
  const columns = head.slice(2).map((cell) => `K${cell.replace(/\W/g, '')}`)
  expect(columns, 'run `npm run matrix`').toEqual(allCases.map(({ id }) => id))
})

test('the matrix in the docs has a row for each application, right or broken', () => {
  const names = applications.map(([cell = '']) =>
    cell.replace(/^\| /, '').replace(/,.*/, '').replaceAll('*', ''),
  )
  const expected = [...correct, ...allBugs().map(({ application, name }) => `${application}: ${name}`)]
  expect(names.toSorted(), 'run `npm run matrix`').toEqual(expected.toSorted())
})

test('the matrix in the docs shows no FAIL for an application that is right', () => {
  const right = applications.filter(([cell = '']) => cell.includes('**'))
  expect(right).toHaveLength(correct.length)
  expect(right.flat().filter((cell) => cell.includes('**F**'))).toEqual([])
})

test.each(allBugs())('the matrix in the docs shows that $caughtBy catches $application: $name', (bug) => {
  const row = applications.find(([cell]) => cell === `| ${bug.application}: ${bug.name}`)
  const column = allCases.findIndex(({ id }) => id === bug.caughtBy)
  expect(row?.[column + 2], 'run `npm run matrix`').toMatch(/^\*\*[FW]\*\*/)
})
