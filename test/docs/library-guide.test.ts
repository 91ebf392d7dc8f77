import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blocksOf } from './guide.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test('the test files that docs/how-to/find-integration-bugs.md shows are those of the examples', () => {
  const blocks = blocksOf(read('../../docs/how-to/find-integration-bugs.md'))
  const shown = blocks.filter(({ mark }) => mark?.value.startsWith('examples/'))
  expect(shown).toHaveLength(2)
  for (const { mark, text } of shown) expect(text).toBe(read(`../../${mark?.value}`))
})
