import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderKey } from '../../src/domain/order-key.ts'
import { WaitingKeys } from '../../src/store/sqlite/waiting-keys.ts'
import { several } from './factories.ts'

const waiting = (...keys: string[]) => {
  const made = new WaitingKeys()
  for (const [index, key] of keys.entries()) made.add(key, index + 1)
  return made
}
const keysOf = (taken: readonly (readonly [string, number])[]) => taken.map(([key]) => key)

test('a key leads to its order until it is taken', () => {
  const keys = waiting('00aa0001', '00aa0002')
  expect([keys.get('00aa0001'), keys.get('00aa0003'), keys.get(''), keys.get('no key')]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ])
  expect([keys.take('00aa0001'), keys.take('00aa0001'), keys.take('00aa0003')]).toEqual([
    [['00aa0001', 1]],
    [],
    [],
  ])
  expect([keys.get('00aa0001'), keys.size]).toEqual([undefined, 1])
})

test('a key that is added again counts once', () => {
  const keys = waiting('00aa0001', '00aa0001')
  expect([keys.get('00aa0001'), keys.size]).toEqual([2, 1])
})

test('neighbours are taken together, in turn all the way around', () => {
  const keys = waiting('ff000001', '00000001', '80000001', '00000002', '80000002')
  expect(keysOf(keys.takeNext(1))).toEqual(['00000001', '00000002'])
  keys.add('00000003', 6)
  expect(keysOf(keys.takeNext(1))).toEqual(['80000001', '80000002'])
  expect(keysOf(keys.takeNext(2))).toEqual(['ff000001', '00000003'])
  expect([keys.size, keys.takeNext(1)]).toEqual([0, []])
})

test('under a beginning are those whose keys have it', () => {
  const keys = waiting('12345aaa', '12345bbb', '12346aaa', 'ff345aaa')
  expect(keys.beginningWith('12345')).toEqual([1, 2])
  expect(keys.beginningWith('99999')).toEqual([])
})

test('the lowest seq is that of all, whatever their order', () => {
  const keys = new WaitingKeys()
  expect(keys.lowest()).toBeUndefined()
  for (const [key, seq] of [
    ['ff000000', 7],
    ['00000000', 9],
    ['00000001', 3],
    ['80000000', 5],
  ] as const)
    keys.add(key, seq)
  expect(keys.lowest()).toBe(3)
  keys.take('00000001')
  expect(keys.lowest()).toBe(5)
})

test('thousands wait as one does', () => {
  const added = several(5_000, (n) => orderKey('shop', `r${n}`))
  const keys = waiting(...added)
  expect(added.map((key) => keys.get(key))).toEqual(added.map((_, index) => index + 1))
  const taken = keysOf(keys.takeNext(1_000))
  expect(taken.length).toBeGreaterThanOrEqual(1_000)
  expect(taken.length).toBeLessThan(1_050)
  // Neighbours: they all come before those that are left.
  const left = added.filter((key) => keys.get(key) !== undefined)
  expect(keys.size).toBe(left.length)
  expect(left.length + taken.length).toBe(5_000)
  const highest = taken.toSorted().at(-1) ?? ''
  expect(left.filter((key) => key < highest).length).toBeLessThan(10)
})

test('whatever happens, they are what was added and not taken', () => {
  // Close together at both ends and in the middle, so that they are in each other's way, and around the corner.
  const key = fc
    .tuple(
      fc.constantFrom('00', '7f', '80', 'fe', 'ff'),
      fc.constantFrom('00', 'ff'),
      fc.integer({ min: 0, max: 0xf }),
    )
    .map(([beginning, middle, end]) => `${beginning}${middle}000${end.toString(16)}`)
  const deed = fc.oneof(
    { weight: 6, arbitrary: fc.record({ add: key, seq: fc.integer({ min: 1, max: 2 ** 40 }) }) },
    { weight: 3, arbitrary: fc.record({ take: key }) },
    fc.record({ takeNext: fc.constantFrom(1, 3, Number.POSITIVE_INFINITY) }),
  )
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 200, size: 'max' }), (deeds) => {
      const keys = new WaitingKeys()
      const there = new Map<string, number>()
      for (const done of deeds) {
        if ('add' in done) {
          keys.add(done.add, done.seq)
          there.set(done.add, done.seq)
        } else {
          const before = keys.size
          const taken = 'take' in done ? keys.take(done.take) : keys.takeNext(done.takeNext)
          if ('take' in done) expect(taken.length).toBe(there.has(done.take) ? 1 : 0)
          else expect(taken.length).toBeGreaterThanOrEqual(Math.min(before, done.takeNext))
          for (const [key, seq] of taken) {
            expect(seq).toBe(there.get(key))
            there.delete(key)
          }
        }
        expect(keys.size).toBe(there.size)
        expect(keys.lowest()).toBe(there.size === 0 ? undefined : Math.min(...there.values()))
        for (const [key, seq] of there) expect(keys.get(key)).toBe(seq)
      }
      for (const beginning of ['00000', '00ff0', '7f000', 'feff0', 'ff000', 'ffff0']) {
        const expected = [...there].filter(([key]) => key.startsWith(beginning)).map(([, seq]) => seq)
        expect(keys.beginningWith(beginning).toSorted()).toEqual(expected.toSorted())
      }
      expect(keysOf(keys.takeNext(Number.POSITIVE_INFINITY)).toSorted()).toEqual([...there.keys()].toSorted())
      expect([keys.size, keys.get('00000001')]).toEqual([0, undefined])
    }),
  )
})
