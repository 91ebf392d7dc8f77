import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { conformPage } from '../../tools/conform-doc.ts'

test('docs/conform.md has each member of the configuration (`npx tsx tools/conform-doc.ts` writes them)', () => {
  const members = (page: string) => page.split('## Cases')[0]
  expect(members(readFileSync('docs/conform.md', 'utf8'))).toBe(members(conformPage()))
})
