import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated, withGenerated } from '../../tools/docs.ts'

test.each(
  generated.map(
    (one) => [one.marker === undefined ? one.file : `${one.marker} in ${one.file}`, one] as const,
  ),
)('%s is as the code has it; `npx tsx tools/docs.ts` writes it', (_, one) => {
  const written = readFileSync(one.file, 'utf8')
  expect(written).toBe(withGenerated(written, one))
})

test('a part whose marks are gone is no longer written in vain', () => {
  const one = { file: 'page.md', marker: 'calls', render: () => '' }
  expect(() => withGenerated('<!-- calls -->', one)).toThrow(
    'page.md has no <!-- calls --> and <!-- /calls -->',
  )
})
