import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { choicesDocument } from '../../tools/choices-doc.ts'

test('docs/choices.md says what the table says; `npx tsx tools/choices-doc.ts` writes it', () => {
  expect(readFileSync(new URL('../../docs/choices.md', import.meta.url), 'utf8')).toBe(choicesDocument())
})
