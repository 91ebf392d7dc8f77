import { expect, test } from 'vitest'
import { isoTimestamp } from '../../src/domain/timestamp.ts'

const at = Date.parse('2026-04-21T16:12:09.287Z')

test.each([
  [6, '+00:00', '2026-04-21T16:12:09.287000+00:00'],
  [3, '+00:00', '2026-04-21T16:12:09.287+00:00'],
  [1, '+00:00', '2026-04-21T16:12:09.2+00:00'],
  [0, '+00:00', '2026-04-21T16:12:09+00:00'],
  [6, '-03:00', '2026-04-21T13:12:09.287000-03:00'],
  [6, '+05:30', '2026-04-21T21:42:09.287000+05:30'],
])('with %i digits at %s it reads %s (N13)', (digits, offset, expected) => {
  expect(isoTimestamp(at, digits, offset)).toBe(expected)
  expect(Math.abs(Date.parse(expected) - at)).toBeLessThan(1000)
})
