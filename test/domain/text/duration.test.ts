import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDuration, formatDuration, parseDuration } from '../../../src/domain/text/duration.ts'
import { calendarSpan, duration } from '../../../src/domain/text/duration-schema.ts'

test.each([
  ['250ms', 250],
  ['2s', 2_000],
  ['15m', 900_000],
  ['26h', 93_600_000],
  ['30d', 2_592_000_000],
  ['1h30m', 5_400_000],
  ['1d1ms', 86_400_001],
  ['0s', 0],
  ['PT15M', 900_000],
  ['P1DT2H', 93_600_000],
  ['P2W', 1_209_600_000],
])('%s is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  ['', 'nothing'],
  ['15', 'no unit'],
  ['m', 'no number'],
  ['1.5h', 'a fraction'],
  ['-1s', 'a negative one'],
  ['+1s', 'a sign'],
  ['1 h', 'a space'],
  ['1H', 'a capital unit'],
  ['1w', 'weeks, which only ISO 8601 has'],
  ['30m1h', 'units from small to large'],
  ['1s1s', 'a unit twice'],
  ['15m\n', 'a line end'],
  ['P', 'ISO 8601 without a part'],
  ['PT', 'ISO 8601 without a part'],
  ['P1DT', 'ISO 8601 with an empty time'],
  ['PT1.5H', 'a fraction of an hour'],
  ['PT1.2345S', 'less than a millisecond'],
  ['pt15m', 'ISO 8601 in small letters'],
  ['P1M', 'a month, which has no fixed length'],
  ['P1Y', 'a year, which has no fixed length'],
  ['365251d', 'more than a thousand years'],
  [`${'9'.repeat(400)}d`, 'more than a number holds'],
])('%j is refused: %s', (text) => {
  expect(parseDuration(text)).toBeNull()
})

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 31_557_600_000_000 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms)
    }),
  )
})

test.each([
  [0, '0s'],
  [1_500, '1500ms'],
  [900_000, '15m'],
  [5_400_000, '90m'],
  [93_600_000, '26h'],
  [2_592_000_000, '30d'],
])('%d milliseconds are written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d milliseconds cannot be written', (ms) => {
  expect(() => formatDuration(ms)).toThrow(RangeError)
})

test.each([
  ['2026-01-31T12:00:00Z', 'P1M', 0, '2026-02-28T12:00:00Z', 'the last day of a short month'],
  ['2028-01-31T12:00:00Z', 'P1M', 0, '2028-02-29T12:00:00Z', 'the last day of February in a leap year'],
  ['2026-01-31T12:00:00Z', 'P2M', 0, '2026-03-31T12:00:00Z', 'the same day where there is one'],
  ['2028-02-29T12:00:00Z', 'P1Y', 0, '2029-02-28T12:00:00Z', 'a leap day one year later'],
  ['2026-11-30T12:00:00Z', 'P1Y3M', 0, '2028-02-29T12:00:00Z', 'years and months together'],
  ['2026-01-31T12:00:00Z', 'P1M1D', 0, '2026-03-01T12:00:00Z', 'days after the month has been clamped'],
  ['2026-02-01T02:30:00Z', 'P1M', -180, '2026-03-01T02:30:00Z', '31 January 23:30 -03:00, by that calendar'],
  ['2026-02-01T02:30:00Z', 'P1M', 0, '2026-03-01T02:30:00Z', '1 February, by the calendar of UTC'],
  ['2026-03-01T02:30:00Z', 'P1M', -180, '2026-03-29T02:30:00Z', '28 February 23:30 -03:00'],
  ['2026-01-01T00:00:00Z', '90m', 0, '2026-01-01T01:30:00Z', 'a plain duration'],
])('%s and %s at offset %d is %s: %s', (from, text, offsetMinutes, to) => {
  expect(addDuration(Date.parse(from), text, offsetMinutes)).toBe(Date.parse(to))
})

test.each(['P12001M', 'P1001Y', 'P1.5M', '1M', 'P1YT', 'soon'])('%s cannot be added', (text) => {
  expect(addDuration(0, text)).toBeNull()
})

test('a moment beyond all dates is not made', () => {
  expect(addDuration(8.64e15, '1ms')).toBeNull()
})

test.each([15, '15', null, undefined])('%j does not pass the door for durations', (value) => {
  expect(duration.safeParse(value).success).toBe(false)
})

test.each([
  ['PT0.5S', 500],
  ['PT1,5S', 1_500],
  ['PT39M59.999S', 2_399_999],
])('%s has a fraction of a second: %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  ['duration', duration],
  ['calendar span', calendarSpan],
])('an object with a toString of its own is no %s, and is refused in words', (_, schema) => {
  const result = schema.safeParse(JSON.parse('{"toString":1,"valueOf":2}'))
  expect(result.error?.issues[0]?.message).toContain('not an object')
})
