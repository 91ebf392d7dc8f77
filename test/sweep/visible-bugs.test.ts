import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { bugs } from './matrix/visible-bugs.ts'

const root = join(import.meta.dirname, '..', '..')
const listed = Object.entries(bugs).flatMap(([folder, ofFolder]) =>
  Object.entries(ofFolder).map(([name, sight]) => ({ patch: `${folder}/bugs/${name}.patch`, sight })),
)

test('each bug of the applications and examples is listed', () => {
  const patches = globSync(['test/conform/applications/*/bugs/*.patch', 'examples/*/bugs/*.patch'], {
    cwd: root,
  })
  expect(listed.map(({ patch }) => patch).toSorted()).toEqual(patches.toSorted())
})

test('each behaviour that is said to show a bug exists', () => {
  const names = behaviours.map(({ name }) => name)
  for (const { patch, sight } of listed)
    if ('by' in sight) expect(names, patch).toEqual(expect.arrayContaining([...sight.by]))
})

test('at least four of five bugs that can be seen are found', () => {
  const visible = listed.flatMap(({ sight }) => ('by' in sight ? sight : []))
  const found = visible.filter(({ missed }) => missed === undefined)
  expect(found.length / visible.length).toBeGreaterThanOrEqual(0.8)
})
