import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excessEntries } from '../../src/store/journal-bound.ts'

test.each([
  [{ a: 3 }, { all: 3, each: 0 }, {}],
  [{ a: 5 }, { all: 3, each: 0 }, { a: 2 }],
  [{ a: 9, b: 1 }, { all: 4, each: 0 }, { a: 6 }],
  [
    { a: 9, b: 7, c: 1 },
    { all: 11, each: 0 },
    { a: 4, b: 2 },
  ],
  [
    { a: 9, b: 9 },
    { all: 4, each: 6 },
    { a: 3, b: 3 },
  ],
  [{ a: 2, b: 2 }, { all: 1, each: 2 }, {}],
])('of %j with %j goes %j', (counts, bound, gone) => {
  expect(Object.fromEntries(excessEntries(new Map(Object.entries(counts)), bound))).toEqual(gone)
})

test('no more goes than has to, nobody loses what is theirs, and nobody who loses is left with less than another', () => {
  const counts = fc.array(fc.nat(60), { maxLength: 8 })
  fc.assert(
    fc.property(counts, fc.nat(150), fc.nat(40), (list, all, each) => {
      const gone = excessEntries(new Map(list.entries()), { all, each })
      const left = list.map((count, n) => count - (gone.get(n) ?? 0))
      const total = left.reduce((sum, count) => sum + count, 0)
      const before = list.reduce((sum, count) => sum + count, 0)
      const mayStay = list.reduce((sum, count) => sum + Math.min(count, each), 0)
      expect(total).toBe(Math.min(before, Math.max(all, mayStay)))
      for (const n of gone.keys()) {
        expect(left[n]).toBeGreaterThanOrEqual(each)
        expect(left[n]).toBeGreaterThanOrEqual(Math.max(...left) - 1)
      }
    }),
  )
})
