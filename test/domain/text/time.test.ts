import { expect, test } from 'vitest'
import { isoTimestamp } from '../../../src/domain/text/time.ts'

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

test.each([
  ['2026-04-21T16:12:09.007Z', '2026-04-21T16:12:09.007'],
  ['2026-04-21T16:12:09.999Z', '2026-04-21T16:12:09.999'],
  ['2026-04-21T16:12:10.000Z', '2026-04-21T16:12:10.000'],
  ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999'],
  ['1969-12-31T23:59:59.000Z', '1969-12-31T23:59:59.000'],
])('%s keeps its milliseconds, before 1970 too', (moment, expected) => {
  expect(isoTimestamp(Date.parse(moment), 3, '+00:00')).toBe(`${expected}+00:00`)
})

test('moments of one second, and of one moment in several places, do not get mixed up', () => {
  const moments = [at, at + 500, at + 1000, at, at - 60_000, at + 712, at + 713]
  for (const digits of [0, 1, 2, 3, 4, 5, 6]) {
    for (const moment of moments) {
      for (const [offset, minutes] of [
        ['+00:00', 0],
        ['-12:00', -720],
        ['+05:30', 330],
      ] as const) {
        const local = new Date(moment + minutes * 60_000).toISOString()
        const fraction = `${local.slice(20, 23)}000`.slice(0, digits)
        const expected = `${local.slice(0, 19)}${digits === 0 ? '' : '.'}${fraction}${offset}`
        expect(isoTimestamp(moment, digits, offset)).toBe(expected)
      }
    }
  }
})
