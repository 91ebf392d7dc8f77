import { expect, test } from 'vitest'
import { storyFileName, storyFileText } from '../../../src/conform/explore/found-file.ts'
import type { FoundStory } from '../../../src/conform/explore/report.ts'
import { readStoryFile } from '../../../src/conform/stories/read-story-file.ts'
import { toStepTexts } from '../../../src/conform/stories/story.ts'
import { formatProblem, readYaml } from '../../../src/domain/text/yaml-source.ts'
import { storySchema } from '../../../tools/docs/schemas.ts'
import { accepts } from '../../support/json-schema.ts'

const found: FoundStory = {
  promise: 'released-once',
  title: 'released twice',
  should: 'Release at most once for each paid charge.',
  why: 'Every release beyond the first is goods that nobody paid for.',
  beside: 1,
  acts: ['create, answer lost', 'pay', { together: ['reconcile', 'the browser returns'] }],
  seen: [],
  did: 'released 2, paid 1',
  foundAt: 5_071,
  foundWith: 11,
  repeats: { broke: 19, of: 20 },
  seldom: false,
  requestId: 'r-1',
  sequence: null,
  file: null,
  again: null,
}

/** The problems of a story file, one line each. */
function wrongIn(text: string): string[] {
  const read = readStoryFile(text, 's.yaml')
  return 'problems' in read ? read.problems.map(formatProblem) : []
}

const withActs = (acts: string) => `promise: released-once\nacts: ${acts}\n`

test('a found story is written as people read it', () => {
  expect(storyFileText(found, { seed: '4f2ac1d0' })).toBe(
    `# yaml-language-server: $schema=../node_modules/payment-order-emulator/conform/story.schema.json
# released twice: released 2, paid 1. Found by payment-order-emulator explore; plays with: payment-order-emulator conform --story <this file>
promise: released-once
seed: 4f2ac1d0
repeats: 19 of 20
acts:
  - create, answer lost
  - pay
  - together: [reconcile, the browser returns]
`,
  )
  expect(storyFileName(found)).toBe('released-twice.yaml')
  expect(storyFileName({ title: 'Released before a lookup said COMPLETED' })).toBe(
    'released-before-a-lookup-said-completed.yaml',
  )
})

test.each(['4f2ac1d0', '12345678', '3e12345678', 'true', 'a: b # c', ''])(
  'what is written is read as it was, with the seed %j',
  (seed) => {
    const read = readStoryFile(storyFileText(found, { seed }), 's.yaml')
    if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'))
    expect(read.promise).toBe('released-once')
    expect(toStepTexts(read.story)).toEqual(found.acts)
  },
)

test('what an application says stays in its comment', () => {
  const did = 'it says "paid\nacts: []\u001b[2J"'
  const text = storyFileText({ ...found, did }, { seed: 'a' })
  expect(text.split('\n')[1]).toContain('it says "paid\\nacts: []\\u001b[2J"')
  expect(wrongIn(text)).toEqual([])
})

test('a story that needs company keeps its number', () => {
  const read = readStoryFile(storyFileText({ ...found, beside: 16 }, { seed: 'a' }), 's.yaml')
  expect(read).toMatchObject({ beside: 16 })
  expect(wrongIn('promise: released-once\nbeside: 0\nacts: [create]')).toEqual([
    's.yaml:2:9: expected a whole number from 1 to 64, not 0',
  ])
})

test('only the promise and the acts are needed', () => {
  expect(readStoryFile(withActs('[create, pay]'), 's.yaml')).toEqual({
    promise: 'released-once',
    ...{ story: [['create'], ['pay']], beside: 1 },
  })
})

test.each([
  ['', 's.yaml:1:1: is empty; a story file needs `promise` and `acts`'],
  ['[create]', 's.yaml:1:1: expected an object, not a list'],
  ['promise: released-once', 's.yaml:1:1: `acts` is missing'],
  ['acts: [create]', 's.yaml:1:1: `promise` is missing'],
  [
    `promis: released-once\n${withActs('[create]')}`,
    's.yaml:1:1: unknown field `promis`; did you mean `promise`?',
  ],
  [
    `${withActs('[create]')}wait: 1s`,
    's.yaml:3:1: unknown field `wait`; use one of promise, seed, repeats, beside, acts',
  ],
  [
    'promise: release-once\nacts: [create]',
    's.yaml:1:10: expected `released-once`, `nothing-for-failures`, `released-if-told`, `released-in-the-end`, `webhooks-answered`, `keeps-answering`, `creates-rightly` or `keeps-secrets`, not "release-once"; did you mean `released-once`?',
  ],
  [`seed: 123\n${withActs('[create]')}`, 's.yaml:1:7: expected text, not 123; put it in quotes'],
  [`repeats: 20\n${withActs('[create]')}`, 's.yaml:1:10: expected a text like "20 of 20", not 20'],
  [withActs('pay'), 's.yaml:2:7: expected a list of acts, not "pay"'],
  [withActs('[]'), 's.yaml:2:7: a story needs at least one act, `create`'],
  [withActs('\n  - create\n  - pya'), 's.yaml:4:5: unknown act `pya`; did you mean `pay`?'],
  [
    withActs('\n  - create\n  - hold webhook'),
    's.yaml:4:5: unknown act `hold webhook`; did you mean `hold webhooks`?',
  ],
  [withActs('\n  - create\n  - 5'), 's.yaml:4:5: expected an act, like `pay`, or `together`, not 5'],
  [
    withActs('\n  - create\n  - [pay, reconcile]'),
    's.yaml:4:5: expected an act, like `pay`, or `together`, not a list',
  ],
  [
    withActs('\n  - create\n  - togehter: [pay, reconcile]'),
    's.yaml:4:5: unknown field `togehter`; did you mean `together`?',
    's.yaml:4:5: `together` is missing',
  ],
  [withActs('\n  - create\n  - together: pay'), 's.yaml:4:15: expected a list of acts, not "pay"'],
  [withActs('\n  - create\n  - together: [pay]'), 's.yaml:4:15: `together` needs at least two acts'],
  [
    withActs('\n  - create\n  - together: [pay, reconcil]'),
    's.yaml:4:21: unknown act `reconcil`; did you mean `reconcile`?',
  ],
  ['promise: a\npromise: b', 's.yaml:2:1: `promise` occurs twice'],
])('%j is wrong at a place', (text, ...lines) => {
  expect(wrongIn(text)).toEqual(lines)
})

test('an unknown act that resembles none comes with all of them', () => {
  expect(wrongIn(withActs('[create, sleep for a while]'))).toEqual([
    expect.stringMatching(
      /^s\.yaml:2:16: unknown act `sleep for a while`; use one of `create`, .*`restart`$/,
    ),
  ])
})

test.each([
  ['[pay]', 8, 'pay', /begins with one of the acts that create the order/],
  ['[create, create]', 16, 'create', /created only once/],
  ['[together: [create, pay]]', 27, 'pay', /created before/],
  ['[create, let webhooks go]', 16, 'let webhooks go', /put `hold webhooks` before it/],
  ['[create, hold webhooks, hold webhooks]', 31, 'hold webhooks', /held already/],
  ['[create, pay, pay]', 21, 'pay', /paid already/],
  ['[create, pay, decline]', 21, 'decline', /the order is COMPLETED already/],
  ['[create, decline, fail]', 25, 'fail', /the order is FAILED already/],
  ['[create, refund all]', 16, 'refund all', /put `pay` before it/],
  ['[create, pay, refund a part, refund all]', 36, 'refund all', /a part of the order is refunded already/],
  ['[create, pay, refund all, refund fails]', 33, 'refund fails', /refunded already/],
  ['[create, together: [pay, reconcile, reconcile]]', 43, 'reconcile', /twice at the same moment/],
  ['[create, pay, together: [refund a part, refund fails]]', 47, 'refund fails', /only one act of the payer/],
  ['[create, together: [an hour passes, a day passes]]', 27, 'an hour passes', /longer than a moment/],
])('the acts %s cannot follow each other', (acts, column, act, why) => {
  const [line = '', ...others] = wrongIn(withActs(acts))
  expect(others).toEqual([])
  expect(line.startsWith(`s.yaml:2:${column}: \`${act}\` is not possible here: `), line).toBe(true)
  expect(line).toMatch(why)
})

test('the schema for editors accepts what is right, and no unknown act, field or promise', () => {
  const schema: unknown = JSON.parse(storySchema())
  const fits = (text: string) => accepts(schema, readYaml(text, 's.yaml').value)
  expect(fits(storyFileText(found, { seed: '12345678' }))).toBe(true)
  expect(fits(withActs('[create, pay]'))).toBe(true)
  for (const text of [
    '{}',
    'acts: [create]',
    'promise: released-once',
    'promise: a\nacts: [create]',
    withActs('[]'),
    withActs('[create, pya]'),
    withActs('[create, together: [pay]]'),
    withActs('[create, { together: [pay, reconcile], wait: 1s }]'),
    `repeats: often\n${withActs('[create]')}`,
    `wait: 1s\n${withActs('[create]')}`,
  ])
    expect(fits(text), text).toBe(false)
})
