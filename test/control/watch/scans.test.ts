import { expect, test } from 'vitest'
import type { Observation } from '../../../src/control/watch/observation.ts'
import { SharedScans } from '../../../src/control/watch/waits.ts'
import { aRawEntry } from '../../store/factories.ts'
import { watchParts } from './parts.ts'

const everything = { kind: 'request', filters: {}, most: 100 } as const

async function someScans() {
  const parts = await watchParts()
  for (let status = 1; status <= 3; status += 1) parts.record(aRawEntry({ status }))
  const scans = new SharedScans(parts)
  /** A reader that scans until it has seen enough items. */
  const look = async (enough: number, scan: Parameters<SharedScans['show']>[0] = everything) => {
    const seen: Observation[] = []
    const show = async (observation: Observation) => void seen.push(observation)
    await scans.show(scan, { show, hasEnough: () => seen.length >= enough })
    return seen
  }
  return { parts, look }
}

test('many that ask for the same are shown the same things, read once', async () => {
  const { look } = await someScans()
  const all = await Promise.all(Array.from({ length: 100 }, () => look(Infinity)))
  expect(new Set(all.flat()).size).toBe(3)
})

test('whoever comes while a round runs sees all from the start, with those that come then', async () => {
  const { parts, look } = await someScans()
  const first = look(1)
  // Begun by now.
  await Promise.resolve()
  parts.record(aRawEntry({ status: 4 }))
  const [one, other] = await Promise.all([look(Infinity), look(Infinity)])
  expect(one.map(({ known }) => known.status)).toEqual([4, 3, 2, 1])
  expect(other).toEqual(one)
  expect(await first).toHaveLength(1)
})

test('a round goes on for those that have not seen enough, and no further', async () => {
  const { look } = await someScans()
  const [one, two] = await Promise.all([look(1), look(2)])
  expect([one.length, two.length]).toEqual([1, 2])
})

test('other questions have rounds of their own', async () => {
  const { look } = await someScans()
  const two = { ...everything, filters: { status: '2' } }
  const [all, some] = await Promise.all([look(Infinity), look(Infinity, two)])
  expect([all.length, some.length]).toEqual([3, 1])
})
