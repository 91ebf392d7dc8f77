import { describe, expect, test } from 'vitest'
import { effectiveSettings } from '../../../src/domain/choices/settings.ts'
import { nextAttemptAt, retryAfterMs, retryPolicy } from '../../../src/domain/webhook/retry.ts'

const policy = retryPolicy(effectiveSettings())

test('ten retries after the first attempt, one second doubling, at most ten minutes (N44)', () => {
  const waits = Array.from({ length: 11 }, (_, index) => nextAttemptAt(index + 1, 0, policy))
  const seconds = waits.map((wait) => (wait === null ? null : wait / 1000))
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, null])
})

test('the wait is capped', () => {
  expect(nextAttemptAt(40, 0, { ...policy, max: 50 })).toBe(600_000)
})

test('the wait counts from the end of the last attempt', () => {
  expect(nextAttemptAt(1, 5_000, policy)).toBe(6_000)
})

test.each([
  ['longer than the schedule: is kept', 30_000, 30_000],
  ['shorter than the schedule: the schedule holds', 10, 1_000],
  ['beyond the cap: is cut', 3_600_000, 600_000],
])('a Retry-After that is %s', (_, asked, expected) => {
  expect(nextAttemptAt(1, 0, policy, asked)).toBe(expected)
})

test('a Retry-After makes no attempt beyond the last', () => {
  expect(nextAttemptAt(11, 0, policy, 1_000)).toBeNull()
})

test.each([0, -1, 1.5, Number.NaN])('attempt %s is a bug of the caller', (attempt) => {
  expect(() => nextAttemptAt(attempt, 0, policy)).toThrow(RangeError)
})

test.each([
  ['2', 2_000],
  [' 120 ', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['soon', null],
  ['-5', null],
  ['', null],
  [undefined, null],
])('Retry-After %o asks for %o ms', (header, expected) => {
  expect(retryAfterMs(header, 0)).toBe(expected)
})

test('a date that has passed asks for nothing', () => {
  expect(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 3_600_000)).toBe(0)
})

describe('with a schedule', () => {
  const settings = effectiveSettings({ 'webhook.retry.schedule': ['1m', '5m', '2h', '30m'] })
  const scheduled = retryPolicy(settings)

  test('each retry has its own delay, and their number is the number of retries', () => {
    const waits = [1, 2, 3, 4, 5].map((attempt) => nextAttemptAt(attempt, 0, scheduled))
    expect(waits).toEqual([60_000, 300_000, 7_200_000, 1_800_000, null])
  })

  test('a scenario may allow fewer attempts', () => {
    expect(nextAttemptAt(2, 0, retryPolicy(settings, { attempts: 2 }))).toBeNull()
  })

  test.each([
    ['longer than the next delay: is kept', 1_800_000, 1_800_000],
    ['shorter: the schedule holds', 10, 60_000],
    ['beyond the longest delay: is cut', 36_000_000, 7_200_000],
  ])('a Retry-After that is %s', (_, asked, expected) => {
    expect(nextAttemptAt(1, 0, scheduled, asked)).toBe(expected)
  })
})

test('a Retry-After can be ignored', () => {
  const deaf = retryPolicy(effectiveSettings({ 'webhook.retry.after': 'ignore' }))
  expect(nextAttemptAt(1, 0, deaf, 30_000)).toBe(1_000)
})
