import { expect, test } from 'vitest'
import * as z from 'zod'
import { duration } from '../../../src/domain/text/duration-schema.ts'
import { check, problemWords } from '../../../src/domain/text/problems.ts'

const step = z.union([
  z.strictObject({ at: duration, order: z.enum(['COMPLETED', 'FAILED']), error: z.string().optional() }),
  z.strictObject({ at: duration, pay: z.literal('completed') }),
  z.literal('stop'),
])
const story = z.strictObject({
  id: z.string(),
  timeline: z.array(step).min(1).optional(),
  times: z.int().positive().max(9).optional(),
  on: z.union([z.literal('all'), z.array(z.string())]).optional(),
  by: z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('user') })]).optional(),
  codes: z.record(z.string().regex(/^\d+$/, 'expected a number as code'), z.string()).optional(),
})

const wrongStep = (value: unknown) => ({ id: 'x', timeline: [value] })

test.each<[unknown, (string | number)[], string]>([
  [{ timeline: ['stop'] }, ['id'], '`id` is missing'],
  [{ id: 9004 }, ['id'], 'expected text, not 9004; put it in quotes'],
  [{ id: null }, ['id'], 'expected text, not null'],
  [{ id: { a: 1 } }, ['id'], 'expected text, not an object'],
  [{ id: 'x', timeline: [] }, ['timeline'], 'must have at least 1 entry'],
  [{ id: 'x', times: 1.5 }, ['times'], 'expected a whole number, not 1.5'],
  [{ id: 'x', times: 0 }, ['times'], 'must be more than 0'],
  [{ id: 'x', times: 10 }, ['times'], 'must be at most 9'],
  [{ id: 'x', on: 'al' }, ['on'], 'expected `all` or a list, not "al"; did you mean `all`?'],
  [{ id: 'x', on: [1] }, ['on', 0], 'expected text, not 1; put it in quotes'],
  [{ id: 'x', codes: { a: 'b' } }, ['codes', 'a'], 'expected a number as code'],
  [{ id: 'x', timline: [] }, ['timline'], 'unknown key `timline`; did you mean `timeline`?'],
  [
    { id: 'x', 'a\u001b\n': 1 },
    ['a\u001b\n'],
    'unknown key `a\\u001b\\n`; use one of id, timeline, times, on, by, codes',
  ],
  [[], [], 'expected an object, not a list'],
  [undefined, [], 'is missing'],
  [wrongStep('go'), ['timeline', 0], 'expected `stop` or an object, not "go"'],
  [
    wrongStep({ at: '2s', order: 'COMPLETD' }),
    ['timeline', 0, 'order'],
    'expected `COMPLETED` or `FAILED`, not "COMPLETD"; did you mean `COMPLETED`?',
  ],
  [
    wrongStep({ at: '2s', order: 'FAILED', eror: '1' }),
    ['timeline', 0, 'eror'],
    'unknown key `eror`; did you mean `error`?',
  ],
  [
    wrongStep({ at: '2 s', pay: 'completed' }),
    ['timeline', 0, 'at'],
    'expected a duration like 250ms, 2s, 15m, 26h, 30d, 1h30m or PT15M, not "2 s"',
  ],
])('%j is wrong at %j: %s', (value, path, message) => {
  const result = check(story, value)
  expect(result).toMatchObject({ ok: false, problems: [{ path, message }] })
})

test('of a union, the branch that the value was probably meant for is the one that complains', () => {
  const result = check(story, wrongStep({ at: '2s', oder: 'FAILED' }))
  expect(result.ok || result.problems.map(({ message }) => message)).toEqual([
    '`order` is missing',
    'unknown key `oder`; did you mean `order`?',
  ])
})

test('each unknown key is a problem of its own', () => {
  const result = check(story, { id: 'x', tims: 1, onn: 'all' })
  expect(result).toEqual({
    ok: false,
    problems: [
      { path: ['tims'], message: 'unknown key `tims`; did you mean `times`?', at: 'key' },
      { path: ['onn'], message: 'unknown key `onn`; did you mean `on`?', at: 'key' },
    ],
  })
})

test('a long value is cut in the message', () => {
  const result = check(z.enum(['a']), 'x'.repeat(1_000_000))
  expect(result.ok || result.problems[0]?.message.length).toBeLessThan(100)
})

test('a value that passes comes out as the schema makes it', () => {
  expect(check(duration, '2s')).toEqual({ ok: true, value: 2_000 })
})

test('a number without end is called by its name', () => {
  const result = check(z.object({ amount: z.string() }), JSON.parse('{"amount":1e400}'))
  expect(result).toMatchObject({ problems: [{ message: 'expected text, not Infinity; put it in quotes' }] })
})

test('a name stands in a line once', () => {
  const problems = [
    { path: ['format'], message: '`format` is missing' },
    { path: ['orders', 'expiry'], message: '`orders.expiry`: expected a duration' },
    { path: ['count'], message: '`atLeast` says the same' },
  ]
  expect(problemWords(problems)).toBe(
    'format: is missing; orders.expiry: expected a duration; count: `atLeast` says the same',
  )
})

test('only the first of very many wrong words are told what they were probably meant to be', () => {
  const steps = z.object({ steps: z.array(z.strictObject({ at: z.string().optional() })) })
  const result = check(steps, { steps: Array.from({ length: 1_000 }, () => ({ atr: 1 })) })
  const told = result.ok ? [] : result.problems.map(({ message }) => message)
  expect(told).toHaveLength(1_000)
  expect(told.slice(0, 100).every((message) => message === 'unknown key `atr`; did you mean `at`?')).toBe(
    true,
  )
  expect(told.slice(100).every((message) => message === 'unknown key `atr`; use one of at')).toBe(true)
})
