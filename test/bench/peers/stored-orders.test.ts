import { expect, test } from 'vitest'
import { callOf, lookup } from '../../../bench/load/requests.ts'
import { storedOrders } from '../../../bench/peers/stored-orders.ts'

const path = '{requestId}'
const ids = (count: number) => Array.from({ length: count }, (_, n) => callOf({ ...lookup, path }, n).path)

test('each order stands there once under the id that lookups ask for', () => {
  const stored = storedOrders(100).map(({ id }) => id)
  expect(stored.toSorted()).toEqual(ids(100).toSorted())
})

test('the first few that are looked up lie all over the list', () => {
  const stored = storedOrders(1_000).map(({ id }) => id)
  const places = ids(20).map((id) => stored.indexOf(id))
  const average = places.reduce((sum, place) => sum + place, 0) / places.length
  expect(average).toBeGreaterThan(400)
  expect(average).toBeLessThan(600)
})
