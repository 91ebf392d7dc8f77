import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { formatProblem } from '../../../src/domain/text/yaml-source.ts'

/** The problems of a scenario with this timeline, as `line:column: message`. */
function problemsOf(text: string): string[] {
  const result = readScenarioFile(text, 'x.yaml', 'x')
  return 'problems' in result ? result.problems.map(formatProblem) : []
}

const file = (timeline: string) => `id: x\ndescription: a test\ntimeline:\n${timeline}`

test.each([
  [
    'a key that does not exist',
    '  - { atr: 2s, pay: completed }',
    ['x.yaml:4:7: unknown key `atr`', 'did you mean `at`'],
  ],
  ['no time', '  - { pay: completed }', ['x.yaml:4:5: a step needs a time']],
  [
    'two times',
    '  - { at: 1s, after: 1s, pay: completed }',
    ['x.yaml:4:5: a step has only one time; keep one'],
  ],
  ['nothing to do', '  - { at: 1s }', ['x.yaml:4:5: a step needs an action']],
  [
    'a duration without unit',
    '  - { at: 2, pay: completed }',
    ['x.yaml:4:11: expected a duration, but 2 has no unit; write 2s'],
  ],
  ['an unknown unit', '  - { at: 2weeks, pay: completed }', ['x.yaml:4:11:']],
  [
    'steps out of order',
    '  - { at: 5s, pay: completed }\n  - { at: 2s, order: COMPLETED }',
    ['x.yaml:5:11: is earlier than the previous step'],
  ],
  [
    'a final state that is left',
    '  - { at: 1s, order: FAILED }\n  - { at: 2s, order: COMPLETED }',
    ['x.yaml:5:5: the order is already FAILED', 'force: true'],
  ],
  [
    'a code on a status that has none',
    '  - { at: 1s, order: COMPLETED, error: "9004" }',
    ['x.yaml:4:40: only a step with'],
  ],
  [
    'a code that is a number',
    '  - { at: 1s, order: FAILED, error: 9006.1 }',
    ['x.yaml:4:37: an error code is text; put it in quotes: "9006.1"'],
  ],
  [
    'two payments',
    '  - { at: 1s, pay: completed }\n  - { at: 2s, pay: completed }',
    ['x.yaml:5:20: an earlier step has already paid the order'],
  ],
  [
    'an order that is refunded though FAILED',
    '  - { at: 1s, order: FAILED }\n  - { at: 2s, refund: all }',
    ['x.yaml:5:23: the order is not COMPLETED'],
  ],
  ['a date nobody knows', '  - { at: expire + 1s, order: FAILED }', ['x.yaml:4:11:', 'expiry']],
  ['an amount that is a number', '  - { at: 1s, received: 9.5 }', ['x.yaml:4:25:', 'in quotes']],
  ['a part without its sign', '  - { at: 1s, refund: "30 percent" }', ['x.yaml:4:23:', '30%']],
  ['a client to whom nothing happens', '  - { at: 1s, client: {} }', ['say what happens to the client']],
  ['a crypto leg that nothing is said of', '  - { at: 1s, crypto: {} }', ['needs `shown` or `order`']],
  ['a lookup nobody makes', '  - { lookup: { n: 1, of: refunds }, order: FAILED }', ['fiat-refunds']],
  ['a lookup number 0', '  - { lookup: 0, order: FAILED }', ['x.yaml:4:15:', 'at least 1']],
  ['charges without an outcome', '  - { every: interval }', ['does not say how the charge ends']],
  ['a charge that nothing makes come', '  - { charge: 3, order: FAILED }', ['charge 3 never happens']],
  ['a charge with a time', '  - { every: interval, at: 5s, order: COMPLETED }', ['is due on its own date']],
  [
    'a charge that pays',
    '  - { every: interval, pay: completed, order: COMPLETED }',
    ['cannot be combined with a charge'],
  ],
  ['`times` on a plain step', '  - { at: 1s, times: 3, order: FAILED }', ['needs `every: interval`']],
  ['a webhook URL that is none', '  - { at: 1s, client: { webhookUrl: "localhost" } }', ['x.yaml:4:37:']],
  [
    'a status that is nearly right',
    '  - { at: 1s, order: COMPLET }',
    ['x.yaml:4:22:', 'did you mean `COMPLETED`'],
  ],
  [
    'a crypto leg whose status is nearly right',
    '  - { at: 1s, crypto: { order: FAILD } }',
    ['did you mean `FAILED`'],
  ],
  [
    'a webhook that claims nearly a status',
    '  - { at: 1s, webhook: { status: Completed } }',
    ['did you mean `COMPLETED`'],
  ],
  [
    'a charge whose status is nearly right',
    '  - { every: interval, order: FAILD }',
    ['did you mean `FAILED`'],
  ],
  ['a refund of what was never paid', '  - { at: 1s, refund: all }', ['is not COMPLETED by then']],
  ['a status of no refund', '  - { at: 1s, order: COMPLETED, refundStatus: DONE }', ['no refund begins']],
  ['a payment nobody knows', '  - { at: 1s, pay: fail }', ['x.yaml:4:20:', 'expected']],
  [
    'a webhook URL with port 0',
    '  - { at: 1s, client: { webhookUrl: "http://app:0/" } }',
    ['must have a port from 1 to 65535'],
  ],
])('a file with %s is refused where it is wrong', (_, timeline, expected) => {
  const problems = problemsOf(file(timeline)).join('\n')
  for (const words of expected) expect(problems).toContain(words)
})

test.each([
  [
    'a charge in a file for checkouts',
    'for: checkout\ntimeline:\n  - { every: interval, order: COMPLETED }',
    'only a subscription has charges',
  ],
  ['a setting nobody knows', 'settings: { orders: { expirey: 1h } }\ntimeline: []', 'expiry'],
  [
    'a setting that holds for all clients',
    'settings: { paths: { webhookUrl: short } }\ntimeline: []',
    'cannot be set for one',
  ],
  [
    'a setting that comes too late',
    'settings: { subscription: { intervals: [DAILY] } }\ntimeline: []',
    'set it for the client',
  ],
  ['a kind nobody knows', 'for: payouts\ntimeline: []', 'did you mean `payout`'],
  ['no timeline', 'tests: nothing', '`timeline` is missing'],
  ['a clock that is no time', 'clock: tomorrow\ntimeline: []', 'ISO 8601'],
  [
    'more parts to pick than there are',
    'timeline: []\nrandom: { pick: 2, from: [{ name: a }] }',
    'the number of parts, 1',
  ],
  [
    'two parts of one name',
    'timeline: []\nrandom: { pick: 1, from: [{ name: a }, { name: b }, { name: a }] }',
    'x.yaml:4:61: another part already has the name `a`',
  ],
  [
    'webhooks that wait for each other',
    'timeline: []\nwebhooks: [{ of: COMPLETED, after: FAILED }, { of: FAILED, after: COMPLETED }]',
    'x.yaml:4:36: would wait forever: COMPLETED after FAILED after COMPLETED',
  ],
  ['metadata that are too large', 'timeline: []\nbegin: { padMetadata: 1024KiB }', '512KiB'],
])('a file with %s is refused', (_, text, words) => {
  expect(problemsOf(`id: x\ndescription: a test\n${text}`).join('\n')).toContain(words)
})

test('a file is told all its mistakes at once', () => {
  expect(problemsOf(file('  - { pay: completed }\n  - { at: 1s }'))).toHaveLength(2)
})

test('steps in the wrong order are told beside one that cannot be read', () => {
  const lines = [
    '{ at: 9s, pay: completed }',
    '{ atr: 9s }',
    '{ at: 1s, order: FAILED }',
    '{ after: 1s, order: X }',
  ]
  const problems = problemsOf(file(lines.map((line) => `  - ${line}`).join('\n')))
  expect(problems).toEqual([
    expect.stringContaining(':5:7: unknown key'),
    expect.stringContaining(':6:11: is earlier than the previous step'),
    expect.stringContaining(':7:5: the order is already FAILED'),
  ])
})

test('a file whose id is not its name is refused', () => {
  expect(problemsOf('id: y\ndescription: a test\ntimeline: []')).toEqual([
    'x.yaml:1:5: the id is y, but the file name is x; make them the same',
  ])
})

test('`force: true` lets a step leave a final state, `after` counts from the step before', () => {
  const result = readScenarioFile(
    file('  - { at: 1s, order: FAILED }\n  - { after: 1h30m, order: COMPLETED, force: true }'),
    'x.yaml',
    'x',
  )
  expect(result).toMatchObject({
    scenario: { timeline: [{ when: { offsetMs: 1000 } }, { when: { since: 'step', offsetMs: 5_400_000 } }] },
  })
})

test('`force: true` lets a file have a status that is nearly a printed one', () => {
  expect(problemsOf(file('  - { at: 1s, order: completed, force: true }'))).toEqual([])
})

test.each(globSync('scenarios/*.yaml'))('%s is right, and says what it tests', (path) => {
  const result = readScenarioFile(readFileSync(path, 'utf8'), path, basename(path, '.yaml'))
  expect(result).toMatchObject({ scenario: { tests: expect.stringMatching(/^That /) } })
})

/** A scenario whose `webhooks` are this. */
const ruled = (webhooks: string) =>
  `id: x\ndescription: a test\ntimeline:\n  - { at: 1s, order: ON_REVIEW }\nwebhooks: ${webhooks}`

test.each([
  ['a rule that says nothing', '{ of: COMPLETED }', ['x.yaml:5:11: does not change the webhook']],
  ['an unknown member', '{ dely: 1s }', ['x.yaml:5:13: unknown key `dely`; did you mean `delay`']],
  ['a delay without unit', '{ delay: 5 }', ['x.yaml:5:20: expected a duration']],
  ['too many at once', '{ simultaneous: 16 }', ['x.yaml:5:27: must be at most 15']],
  ['a copy and a half', '{ duplicate: 1.5 }', ['x.yaml:5:24:', 'a whole number']],
  ['more about what is dropped', '{ drop: true, delay: 1s }', ['x.yaml:5:19: a webhook that is never sent']],
  ['a webhook that waits for itself', '{ of: FAILED, after: FAILED }', ['x.yaml:5:32: FAILED would wait']],
  ['what waits for the first', '{ after: CREATED }', ['x.yaml:5:20: CREATED is always the first webhook']],
  ['a status that never comes', '[{ after: ON_REVEIW }]', ['x.yaml:5:21: ', 'did you mean `ON_REVIEW`?']],
  [
    'a rule about no status',
    '{ of: SHIPPED, drop: true }',
    ['never gets the status SHIPPED; known statuses are CREATED, '],
  ],
  ['early, but not CREATED', '{ of: FAILED, early: true }', ['x.yaml:5:32: only CREATED waits']],
  ['both bodies', '{ body: x, patch: {} }', ['x.yaml:5:29: a replaced body has nothing to patch']],
  ['two times', '{ sign: old, timestamp: 1m }', ['x.yaml:5:35: `sign: old` already shifts']],
  ['a signature nobody knows', '{ sign: bad }', ['x.yaml:5:19: expected `wrong`, `old`', 'not "bad"']],
  ['a shift without unit', '{ timestamp: -10 }', ['x.yaml:5:24:']],
  ['a header that is none', '{ headers: { "a b": x } }', ['x.yaml:5:24: must be a valid header name']],
  ['apart without copies', '{ apart: 1s }', ['x.yaml:5:20: needs `duplicate`']],
  ['ids without copies', '{ ids: fresh }', ['x.yaml:5:18: needs `duplicate` or `simultaneous`']],
  ['times of nothing', '{ times: 2, delay: 1s }', ['x.yaml:5:20: needs a fault of attempts', 'countAs']],
  ['a status that is none', '{ countAs: 99 }', ['x.yaml:5:22: must be at least 200']],
  ['a cut nowhere', '{ cut: middle }', ['x.yaml:5:18: expected `end` or', 'not "middle"']],
])('a file with %s about webhooks is refused where it is wrong', (_, webhooks, expected) => {
  const problems = problemsOf(ruled(webhooks)).join('\n')
  for (const words of expected) expect(problems).toContain(words)
})

test('an extra webhook is checked like a rule', () => {
  expect(problemsOf(file('  - { at: 1s, webhook: { delay: 1s, of: FAILED } }'))).toEqual([
    expect.stringMatching(/^x.yaml:4:37: unknown key `of`/),
  ])
  expect(problemsOf(file('  - { at: 1s, webhook: { ids: fresh } }'))).toEqual([
    expect.stringMatching(/^x.yaml:4:31: needs/),
  ])
})

test('a part of a random mix is checked like the rules', () => {
  const random = 'random: { pick: 1, from: [{ name: a, webhooks: { of: SHIPPED, drop: true } }] }'
  expect(problemsOf(`${file('  - { at: 1s, order: FAILED }')}\n${random}`)).toEqual([
    expect.stringMatching(/the order never gets the status SHIPPED/),
  ])
})

test.each(['next', 'problems'])('a scenario cannot be called %s, which is a path of its own', (id) => {
  const result = readScenarioFile(`id: ${id}\ndescription: d\ntimeline: []\n`, `${id}.yaml`, id)
  const problems = 'problems' in result ? result.problems.map(formatProblem) : []
  expect(problems).toEqual([`${id}.yaml:1:5: is a word of the control API; choose another name`])
})
