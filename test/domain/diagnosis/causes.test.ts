import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { causeTable } from '../../../src/domain/diagnosis/causes.ts'
import { diagnosisDocument } from '../../../tools/diagnosis-doc.ts'

test('docs/diagnosis.md says what the table says; `npx tsx tools/diagnosis-doc.ts` writes it', () => {
  const written = readFileSync(new URL('../../../docs/diagnosis.md', import.meta.url), 'utf8')
  expect(written).toBe(diagnosisDocument())
})

const sources = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('causes.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

test.each(Object.keys(causeTable))('the cause %s is named somewhere', (cause) => {
  expect(sources).toContain(`'${cause}'`)
})
