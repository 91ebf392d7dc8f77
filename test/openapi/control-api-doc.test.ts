import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { controlApiPage } from '../../tools/control-api-doc.ts'

test('docs/control-api.md lists the calls; `npx tsx tools/control-api-doc.ts` writes them', () => {
  expect(readFileSync(new URL('../../docs/control-api.md', import.meta.url), 'utf8')).toBe(controlApiPage())
})
