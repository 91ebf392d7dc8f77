import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFiles } from '../../src/cli/explore/found-files.ts'
import { counterWords } from '../../src/cli/explore/live-counter.ts'
import { foundStory, sampleSearch } from '../conform/support/sample-search.ts'
import { aFolder } from '../support/folder.ts'

/** Writes stories to a folder.
 *  @returns the names of the files */
const written = (folder: string, ...stories: (typeof foundStory)[]) =>
  withFiles(sampleSearch(stories), folder, (file) => `again ${file}`).found.map(({ file, again }) => {
    expect(again).toBe(`again ${file}`)
    return file?.slice(folder.length + 1)
  })

test('each story has a file of its own, in a folder that is created', () => {
  const folder = join(aFolder(), 'deeper', 'found')
  const other = { ...foundStory, acts: ['create', 'pay', 'repeat the webhook'] }
  expect(written(folder, foundStory, other, { ...foundStory, title: 'never released' })).toEqual([
    'released-twice.yaml',
    'released-twice-2.yaml',
    'never-released.yaml',
  ])
  expect(readFileSync(join(folder, 'released-twice-2.yaml'), 'utf8')).toContain('- repeat the webhook')
})

test('a file of the same story is written again, and one of another story is not', () => {
  const folder = aFolder()
  const other = { ...foundStory, acts: ['create', 'pay', 'repeat the webhook'] }
  writeFileSync(join(folder, 'released-twice.yaml'), 'my notes')
  mkdirSync(join(folder, 'released-twice-2.yaml'))
  expect(written(folder, foundStory)).toEqual(['released-twice-3.yaml'])
  expect(written(folder, other, foundStory)).toEqual(['released-twice-4.yaml', 'released-twice-3.yaml'])
  expect(readFileSync(join(folder, 'released-twice.yaml'), 'utf8')).toBe('my notes')
})

test('nothing is written if nothing was found', () => {
  const folder = join(aFolder(), 'found')
  expect(written(folder)).toEqual([])
  expect(existsSync(folder)).toBe(false)
})

test('the progress of a search is one line', () => {
  const progress = {
    stories: 1_234,
    pairsLeft: 1,
    unrepeated: 0,
    found: [foundStory],
    doing: 'shrinks',
  } as const
  expect(counterWords(progress, 130_400)).toBe(
    '1,234 stories · 1 pair left · 1 found · shrinking a story · 2 min 10 s left',
  )
  expect(counterWords({ ...progress, found: [], doing: 'plays' }, -1)).toBe(
    '1,234 stories · 1 pair left · playing',
  )
})
