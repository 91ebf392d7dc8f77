import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdingTests, requirementRows } from '../../tools/docs/requirements.ts'

/** `test/requirements/requirements.md` is only worth something as long as it is true. */
const document = readFileSync(new URL('./requirements.md', import.meta.url), 'utf8')
const rows = requirementRows(document)
const tests = holdingTests()

test('every requirement from R1 to R125 has exactly one row, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 125 }, (_, index) => `R${index + 1}`))
})

test('every requirement is held by a test, or says what it waits for', () => {
  const held = new Set(tests.flatMap(({ numbers }) => numbers))
  const bare = rows.filter(({ number, waitsFor }) => !held.has(number) && waitsFor === null)
  expect(bare.map(({ number }) => number)).toEqual([])
})

test('every number in the name of a test is a requirement', () => {
  const known = new Set(rows.map(({ number }) => number))
  expect(tests.filter(({ numbers }) => !numbers.every((number) => known.has(number)))).toEqual([])
})

test('no two tests of a file share a name', () => {
  const names = tests.map(({ file, numbers, name }) => `${file} ${numbers} ${name}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('no test here is switched off', () => {
  const files = globSync(`${import.meta.dirname}/*.test.ts`).filter((file) => file !== import.meta.filename)
  const off = files.filter((file) =>
    /\b(test|describe)(\.each)?\.(skip|only|todo|fails|runIf|skipIf)\b/.test(readFileSync(file, 'utf8')),
  )
  expect(off).toEqual([])
})
