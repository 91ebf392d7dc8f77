import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SmallMap } from '../../src/domain/small-map.ts'

test('it holds what a Map would, in the order it came, whatever is set and deleted meanwhile', () => {
  const act = fc.record({
    does: fc.constantFrom('set', 'set', 'delete'),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    value: fc.option(fc.nat(), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const [map, model] = [new SmallMap<string, number | undefined>(), new Map<string, number | undefined>()]
      for (const { does, key, value } of acts) {
        if (does === 'set') {
          map.set(key, value)
          model.set(key, value)
        } else expect(map.delete(key)).toBe(model.delete(key))
        expect([map.size, map.has(key), map.get(key)]).toEqual([model.size, model.has(key), model.get(key)])
        expect([...map]).toEqual([...model])
        expect([map.keys(), map.values()]).toEqual([[...model.keys()], [...model.values()]])
      }
    }),
  )
})

test('who goes through it meets what was there, whatever comes and goes meanwhile', () => {
  const map = new SmallMap<string, number>()
  for (const [place, key] of ['a', 'b', 'c'].entries()) map.set(key, place)
  const met: string[] = []
  for (const [key] of map) {
    met.push(key)
    map.delete(key)
    map.set(`${key}${key}`, 0)
  }
  expect(met).toEqual(['a', 'b', 'c'])
  expect(map.keys()).toEqual(['aa', 'bb', 'cc'])
})
