import { expect, test } from 'vitest'
import { bareProgram } from '../../../bench/peers/bare-program.ts'
import { compare, type Entry } from '../../../bench/peers/comparison.ts'
import { emulator } from '../../../bench/peers/emulator.ts'
import { pageOf } from '../../../bench/peers/page.ts'
import { prism } from '../../../bench/peers/prism.ts'

const entry = (peer: typeof prism, createsPerSecond: number, more: Partial<Entry> = {}): Entry => {
  const round = { coldStartMs: 1, createCpuMicros: 1, lookupsPerSecond: 1, residentMb: 1, created: 1 }
  return { peer, version: '1.2.3', rounds: [{ ...round, createsPerSecond }], ...more }
}
const heading = { machine: '2026-01-01, 4 cores', rounds: 5, othersCores: 0.25 }
const page = (...entries: Entry[]) => pageOf(heading, new Map([[100, compare(entries)]]))

test.each([
  [340, '4 ok', 'just enough: 85 % of the aim'],
  [339, '4 MISSED', 'too little'],
])('with an aim of 4 and a hundredth of %d creates it says %s: %s', (ours, verdict) => {
  expect(page(entry(emulator, ours), entry(prism, 100))).toContain(`| ${verdict} |`)
})

test('beside an aim stands what the bare program comes to', () => {
  const text = page(entry(emulator, 300), entry(bareProgram, 350), entry(prism, 100))
  expect(text).toContain('| 4 MISSED | 3.5 |')
})

test('what could not be measured stands in the table with its reason', () => {
  const failed = entry(prism, 100, { rounds: [], failure: 'it needs Java' })
  expect(page(entry(emulator, 400), failed)).toMatch(/^\| Prism \| not measured: it needs Java \|( {2}\|)+$/m)
})

test('it tells date, machine, rounds, versions and how busy the machine was', () => {
  const text = page(entry(emulator, 400), entry(prism, 100))
  expect(text).toContain(
    '2026-01-01, 4 cores; meanwhile other programs had 0.3 cores.\n\nRounds: 5, of which',
  )
  expect(text).toContain(`| Prism | 1.2.3 | ${prism.work} |`)
})
