import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sections } from '../../bench/sections.ts'

test('bench/README.md lists every section with its goal, in the order in which they run', () => {
  const page = readFileSync('bench/README.md', 'utf8')
  const rows = [...page.matchAll(/^\| ([a-z-]+) \| (\d?) \|/gm)].map(([, name, goal]) => `${name} ${goal}`)
  expect(rows).toEqual(sections.map(({ name, goal }) => `${name} ${goal ?? ''}`))
})
