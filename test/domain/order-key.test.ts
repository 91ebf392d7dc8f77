import { expect, test } from 'vitest'
import { keyBeginning, orderKey } from '../../src/domain/order-key.ts'

const several = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n))

test.each(['', 'r1', 'é', '\u{1f600}', 'x'.repeat(1_000)])('a key has eight digits: of %j', (requestId) => {
  expect(orderKey('shop', requestId)).toMatch(/^[0-9a-f]{8}$/)
})

test('a key stays what it is: databases hold it', () => {
  expect(orderKey('shop', 'r1')).toBe('6dcde5a3')
})

test('keys of one requestId begin alike, whosever it is, and differ by client', () => {
  const keys = several(200, (n) => orderKey(`client-${n}`, 'r1'))
  expect(new Set(keys.map((key) => key.slice(0, 5)))).toEqual(new Set([keyBeginning('r1')]))
  expect(new Set(keys).size).toBeGreaterThan(180)
})

test.each(['order-', 'ORDER_2026_000', '019384ab-cdef-7000-8000-00000000'])(
  'neighbouring requestIds spread over all keys: %s',
  (beginning) => {
    const keys = several(20_000, (n) => orderKey('shop', `${beginning}${n}`))
    expect(new Set(keys).size).toBeGreaterThan(19_990)
    const ofEachDigit = several(16, (n) => n.toString(16)).map(
      (digit) => keys.filter((key) => key.startsWith(digit)).length,
    )
    expect(Math.min(...ofEachDigit)).toBeGreaterThan(1_000)
  },
)
