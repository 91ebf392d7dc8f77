import { expect, test } from 'vitest'
import { Bag } from '../../src/domain/bag.ts'

const bagOf = <T>(...things: readonly T[]): Bag<T> => {
  const bag = new Bag<T>()
  for (const thing of things) bag.add(thing)
  return bag
}

test.each(['a', 'b', 'c'])('what is taken out is gone, and nothing else: %s of three', (thing) => {
  const bag = bagOf('a', 'b', 'c')
  bag.delete(thing)
  expect([...bag].toSorted()).toEqual(['a', 'b', 'c'].filter((each) => each !== thing))
  expect(bag.size).toBe(2)
})

test('what was never put in, or is out already, takes out nothing', () => {
  const bag = bagOf('a')
  bag.delete('b')
  expect([...bag]).toEqual(['a'])
  bag.delete('a')
  bag.delete('a')
  expect([...bag]).toEqual([])
  expect(bag.size).toBe(0)
})

test('who goes through it meets each thing once, whatever is taken out or put in meanwhile', () => {
  const bag = bagOf(1, 2, 3, 4)
  const met: number[] = []
  for (const thing of bag) {
    met.push(thing)
    bag.delete(thing)
    bag.add(thing + 10)
  }
  expect(met).toEqual([1, 2, 3, 4])
  expect([...bag].toSorted()).toEqual([11, 12, 13, 14])
})
