import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import { Counts, Histogram, Tallies, Tally } from '../../src/journal/tallies.ts'
import { aDelivery, aResult } from '../store/factories.ts'

test('labels beyond the bound are counted together, and none is lost', () => {
  const counts = new Counts(['what', 'to'], 2)
  for (const to of ['a', 'b', 'c', 'd', 'a']) counts.add('order', to)
  expect(counts.entries()).toEqual([
    { values: ['order', 'a'], count: 2 },
    { values: ['order', 'b'], count: 1 },
    { values: ['other', 'other'], count: 2 },
  ])
})

test('a value on a bound belongs below it, one above all bounds to none', () => {
  const histogram = new Histogram([1, 2])
  for (const value of [0, 1, 1.5, 2, 9]) histogram.add(value)
  expect([histogram.upTo, histogram.sum]).toEqual([[2, 4, 5], 13.5])
})

test('how late a webhook is tells its first attempt alone', () => {
  const tally = new Tally()
  for (const attempt of [1, 2]) {
    const delivery = { ...aDelivery({ dueAt: 1_000 }), attempt }
    tally.count({
      type: 'attempt',
      delivery,
      url: '',
      at: 3_000,
      result: aResult(),
      settings: defaultSettings,
    })
  }
  expect(tally.latenessSeconds.sum).toBe(2)
  expect(tally.attempts.entries()).toMatchObject([{ count: 2 }])
})

test('what was told is counted, and a client that is removed begins anew', () => {
  const tallies = new Tallies()
  const delivery = { ...aDelivery({ clientId: 'C1' }), attempt: 1 }
  const tell = () =>
    tallies.listen({
      type: 'attempt',
      delivery,
      url: '',
      at: 0,
      result: aResult(),
      settings: defaultSettings,
    })
  const counted = ({ attempts }: Tally) => attempts.entries().map(({ count }) => count)
  tell()
  expect(counted(tallies.of('C1'))).toEqual([1])
  tell()
  expect(counted(tallies.all)).toEqual([2])
  tell()
  tallies.forget('C1')
  expect([counted(tallies.of('C1')), counted(tallies.all)]).toEqual([[], [3]])
})
