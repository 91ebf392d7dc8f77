import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compare, type Entry } from '../../../bench/peers/comparison.ts'
import { emulator } from '../../../bench/peers/emulator.ts'
import { withPeers } from '../../../bench/peers/guide.ts'
import { prism } from '../../../bench/peers/prism.ts'

const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
const round = {
  coldStartMs: 400,
  createCpuMicros: 1,
  createsPerSecond: 50,
  lookupsPerSecond: 20,
  residentMb: 300,
}
const entry = (peer: Entry['peer']): Entry => ({ peer, version: '1.2', rounds: [{ ...round, created: 1 }] })
const written = (text: string) =>
  withPeers(
    text,
    { machine: '4 cores', rounds: 5, othersCores: 0 },
    new Map([[1_000, compare([entry(emulator), entry(prism)])]]),
  )

test('new tables take the place of the former ones, and the rest of the page stays', () => {
  const once = written(page)
  expect(once).toContain('\n| Prism 1.2 | 50 | x 1 | 20 | x 1 | 400 ms | 300 MB |\n')
  expect(once).toContain('**What is the same.**')
  expect(written(once)).toBe(once)
})

test('a page without the marks is refused', () => {
  expect(() => written('# Performance\n')).toThrow('lost the marks')
})
