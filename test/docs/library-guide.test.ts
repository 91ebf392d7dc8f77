import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { libraryPage } from '../../tools/library-doc.ts'
import { libraryGuideTests } from '../../tools/library-guide-tests.ts'
import { blocksOf } from './guide.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test('the TypeScript of the guides is run; `npx tsx tools/library-guide-tests.ts` writes the tests', () => {
  expect(read('library-guide.generated.test.ts')).toBe(libraryGuideTests())
})

test('the test files that docs/conform-in-tests.md shows are those of the examples', () => {
  const shown = blocksOf(read('../../docs/conform-in-tests.md')).filter(({ mark }) => mark !== null)
  expect(shown).toHaveLength(2)
  for (const { mark, text } of shown) expect(text).toBe(read(`../../${mark?.value}`))
})

test('docs/library.md lists the methods; `npx tsx tools/library-doc.ts` writes them', () => {
  expect(read('../../docs/library.md')).toBe(libraryPage())
})
