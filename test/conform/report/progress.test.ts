import { expect, test } from 'vitest'
import { Progress } from '../../../src/conform/report/terminal-report.ts'
import { sampleCases } from '../support/sample-report.ts'

function progressAt(place: { interactive: boolean; columns: number | null }) {
  const written: string[] = []
  const progress = new Progress({ colours: false, ...place, write: (text) => written.push(text) })
  return { progress, written }
}

test('at a terminal one line is written over and over', () => {
  const { progress, written } = progressAt({ interactive: true, columns: 80 })
  progress.onCase({ id: 'K01', title: 'An order is paid', n: 1, of: 40 })
  for (const result of sampleCases.slice(0, 1)) progress.onResult(result)
  progress.onCase({ id: 'K08', title: 'The same webhook again', n: 2, of: 40 })
  progress.end()
  expect(written.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true)
  expect(written.at(0)).toContain('checking the configuration')
  expect(written.at(2)).toContain(' 2/40  1 passed, 0 failed  K08 The same webhook again')
})

test('a line that would be full is cut', () => {
  const { progress, written } = progressAt({ interactive: true, columns: 30 })
  progress.onCase({ id: 'K01', title: 'An order that is paid after a very long time', n: 1, of: 40 })
  expect(written[1]?.replace('\r\u001b[2K', '')).toHaveLength(29)
})

test('elsewhere each case is a line of its own', () => {
  const { progress, written } = progressAt({ interactive: false, columns: null })
  progress.onCase({ id: 'K01', title: 'An order is paid', n: 1, of: 40 })
  for (const result of sampleCases.slice(0, 1)) progress.onResult(result)
  progress.end()
  expect(written).toEqual(['K01  PASS      An order is paid (0.6 s)\n'])
})
