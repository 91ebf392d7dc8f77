import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { causeTable } from '../../src/domain/diagnosis/causes.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/how-to/other-languages.md'), 'utf8')

test('every cause that the page on other languages names is one that the journal can name', () => {
  const named = [...page.matchAll(/`((?:signature|token|body|input)\.[a-z0-9-]+)`/g)].map((match) => match[1])
  const causes = named.filter((name) => name !== 'signature.checkout')
  expect(causes.length).toBeGreaterThan(15)
  expect(causes.filter((cause) => !Object.hasOwn(causeTable, cause ?? ''))).toEqual([])
})

test('every program that it shows is there, and the other way round', () => {
  const files = [...page.matchAll(/\]\(\.\.\/\.\.\/(examples\/signing\/\w+\.\w+)\)/g)].map(
    (match) => match[1] ?? '',
  )
  const there = readdirSync(join(root, 'examples/signing')).map((name) => `examples/signing/${name}`)
  expect(files.toSorted()).toEqual(there.toSorted())
})
