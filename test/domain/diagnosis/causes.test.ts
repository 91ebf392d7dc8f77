import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { causeTable } from '../../../src/domain/diagnosis/causes.ts'

const sources = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('causes.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

test.each(Object.keys(causeTable))('the cause %s is named somewhere', (cause) => {
  // Not toContain: its failure would print all sources.
  expect(sources.includes(`'${cause}'`)).toBe(true)
})
