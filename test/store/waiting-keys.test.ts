import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WaitingKeys } from '../../src/store/sqlite/waiting-keys.ts'

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
  expect(keys.under('12345')).toEqual([1, 2])
  expect(keys.under('99999')).toEqual([])
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

test('whatever is added is taken once', () => {
  const key = fc
    .integer({ min: 0, max: 0xffff })
    .map((number) => number.toString(16).padStart(4, '0').repeat(2))
  fc.assert(
    fc.property(fc.uniqueArray(key), fc.integer({ min: 1, max: 20 }), (added, atOnce) => {
      const keys = waiting(...added)
      const taken: string[] = []
      while (keys.size > 0) taken.push(...keysOf(keys.takeNext(atOnce)))
      expect(taken.toSorted()).toEqual(added.toSorted())
    }),
  )
})
