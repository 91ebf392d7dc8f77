import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { statuses } from '../../../src/domain/order/statuses.ts'

test('a list of statuses stands in the table alone', () => {
  const name = `'(?:${[...new Set(statuses.map((row) => row.name))].join('|')})'`
  const list = new RegExp(`${name}\\s*(?:,|\\|\\|?)\\s*${name}|${name}.*\\|\\|.*${name}`)
  // A case of conform names the statuses that it plays.
  const free = (file: string) =>
    file === 'src/domain/order/statuses.ts' || file.startsWith('src/conform/cases/')
  const elsewhere = globSync('src/**/*.{ts,tsx}').filter(
    (file) => !free(file) && list.test(readFileSync(file, 'utf8')),
  )
  expect(elsewhere).toEqual([])
})
