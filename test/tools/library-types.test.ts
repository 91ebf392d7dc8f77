import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { libraryTypes } from '../../tools/library-types.ts'

const file = 'src/testing/shapes.generated.ts'

test(`${file} is what the schemas of both APIs say; if not: npx tsx tools/library-types.ts`, async () => {
  expect(readFileSync(file, 'utf8')).toBe(await libraryTypes())
})
