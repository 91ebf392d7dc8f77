import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { terminalReport } from '../../../../src/conform/explore/report/terminal-report.ts'
import type { ExploreReport } from '../../../../src/conform/explore/report.ts'
import {
  foundStory,
  hostileSearch,
  sampleSearch,
  seldomStory,
  stoppedSearch,
} from '../../support/sample-search.ts'

const plain = { colours: false, columns: 80 }

test('shows a search at 80 columns', async () => {
  const text = terminalReport(sampleSearch(), plain)
  await expect(`${text}\n`).toMatchFileSnapshot('../../golden/explore-80.txt')
})

test.each([40, 80, 120])('at %d columns only commands are longer than a line', (columns) => {
  const reports = [sampleSearch(), stoppedSearch()]
  const lines = reports.flatMap((report) => terminalReport(report, { colours: false, columns }).split('\n'))
  expect(lines.filter((line) => line.length > columns && !line.startsWith('       again '))).toEqual([])
})

test('without columns each step is one line', () => {
  const text = terminalReport(sampleSearch(), { colours: false, columns: null })
  expect(text).toMatch(/^ {7}2\. pay {2,}order COMPLETED; webhook COMPLETED held$/m)
})

test('colours change nothing but the look', () => {
  for (const report of [sampleSearch(), stoppedSearch()]) {
    const dressed = terminalReport(report, { colours: true, columns: 80 })
    expect(dressed).not.toBe(stripVTControlCharacters(dressed))
    expect(stripVTControlCharacters(dressed)).toBe(terminalReport(report, plain))
  }
})

test('nothing from outside steers the terminal', () => {
  expect(terminalReport(hostileSearch(), plain)).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Cs}|[\u2028\u2029]/u)
})

test('a story that needs company says so', () => {
  expect(
    terminalReport(sampleSearch([{ ...foundStory, beside: 16 }]), { ...plain, columns: null }),
  ).toContain('repeats 20 of 20 beside 15 stories like it')
})

/** The last line of a report. */
const lastLine = (found: ExploreReport['found'], parts: Partial<ExploreReport> = {}) =>
  terminalReport(sampleSearch(found, parts), { colours: false, columns: null }).split('\n').at(-1)

test.each<[string, Parameters<typeof lastLine>, string]>([
  ['a find', [[foundStory]], 'Found 1 story that breaks a promise.'],
  ['two finds', [[foundStory, foundStory]], 'Found 2 stories that break a promise.'],
  ['a seldom find', [[seldomStory]], 'Found 1 story that breaks a promise seldom, which is no failure.'],
  ['nothing', [[]], 'Nothing found in 5,104 stories. 61 pairs of acts were not tried.'],
  [
    'nothing, with all pairs',
    [[], { pairsLeft: 0 }],
    'Nothing found in 5,104 stories. Every pair of acts was tried; of longer combinations, only some were.',
  ],
  [
    'nothing, but for what did not repeat',
    [[], { unrepeated: 2, pairsLeft: 0 }],
    'Nothing found in 5,104 stories. Every pair of acts was tried; of longer combinations, only some were. 2 stories broke a promise once and not again when repeated, which counts for nothing.',
  ],
  ['no story', [[], { stories: 0 }], 'No story was played.'],
])('the last line claims no more than was done: %s', (_, report, line) => {
  expect(lastLine(...report)).toBe(line)
})

test('an application that ended the search is shown with the last stories', () => {
  const text = terminalReport(stoppedSearch(), plain)
  expect(text).toContain('STOPPED  your application accepts no connections any more')
  expect(text).toContain('  - create; pay; act 8\n  - and 2 more')
  expect(text).not.toContain('Nothing found')
})

test('problems of the configuration read like no result', () => {
  const problems = [{ member: 'probe.effects', message: 'add it' }]
  const text = terminalReport(sampleSearch([], { problems, stories: 0, ok: false }), plain)
  expect(text).toContain('  - probe.effects: add it')
  expect(text).not.toMatch(/Nothing|FOUND/)
})
