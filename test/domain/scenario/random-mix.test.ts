import { expect, test } from 'vitest'
import type { RandomMix } from '../../../src/domain/scenario/scenario.ts'
import { pickedParts } from '../../../src/domain/scenario/scenario.ts'

const from: RandomMix['from'] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, webhooks: [], answers: [] }))
const mix = (least: number, most: number) => ({ id: 'chaos', random: { pick: [least, most], from } as const })
const names = (least: number, most: number, requestId: string, seed = 's') =>
  pickedParts(mix(least, most), [seed, 'C1', requestId]).map(({ name }) => name)
const requestIds = Array.from({ length: 500 }, (_, n) => `r${n}`)

test('the same seed, client and requestId draw the same parts', () => {
  for (const requestId of requestIds) expect(names(1, 3, requestId)).toEqual(names(1, 3, requestId))
})

test('another seed draws others', () => {
  const differ = requestIds.filter((id) => names(2, 2, id).join() !== names(2, 2, id, 'another').join())
  expect(differ.length).toBeGreaterThan(350)
})

test('as many are drawn as the file says, none twice, in the order of the file', () => {
  for (const requestId of requestIds) {
    const drawn = names(1, 3, requestId)
    expect(drawn.length).toBeGreaterThanOrEqual(1)
    expect(drawn.length).toBeLessThanOrEqual(3)
    expect(drawn).toEqual([...new Set(drawn)].toSorted())
  }
})

test('every part and every number of parts is drawn about as often as the others', () => {
  const drawn = requestIds.map((id) => names(1, 3, id))
  for (const { name } of from) {
    const count = drawn.filter((list) => list.includes(name)).length
    expect(count).toBeGreaterThan(140)
    expect(count).toBeLessThan(260)
  }
  for (const size of [1, 2, 3]) {
    expect(drawn.filter(({ length }) => length === size).length).toBeGreaterThan(120)
  }
})

test('a scenario without a mix has no parts', () => {
  expect(pickedParts({ id: 'happy', random: null }, ['s', 'C1', 'r1'])).toEqual([])
})
