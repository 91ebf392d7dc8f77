import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { answerRuleText } from '../../../src/domain/scenario/answer-rule-text.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { formatProblem } from '../../../src/domain/text/yaml-source.ts'

const read = (rule: string) =>
  readScenarioFile(`id: x\ndescription: a test\ntimeline: []\nanswers:\n  - ${rule}\n`, 'x.yaml', 'x')

/** The problems of a rule that begins at 5:5, as `line:column: message`. */
function problemsOf(rule: string): string {
  const result = read(rule)
  return 'problems' in result ? result.problems.map(formatProblem).join('\n') : 'none'
}

test.each([
  [
    'an operation nobody knows',
    '{ on: create-ordre, effect: { status: 500 } }',
    '5:11: expected',
    'create-order',
  ],
  [
    'one in a list',
    '{ on: [orders, order], effect: { status: 500 } }',
    '5:20: expected',
    'did you mean `orders`',
  ],
  [
    'an operation about no order',
    '{ on: webhook-url, effect: { status: 500 } }',
    '5:11: a call of webhook-url names no order',
  ],
  [
    'the token route',
    '{ on: access-token, effect: { status: 500 } }',
    '5:11: a call of access-token names no order',
  ],
  ['no operation', '{ on: [], effect: { status: 500 } }', '5:11: must have at least 1 entry'],
  [
    'a moment nobody knows',
    '{ on: orders, when: after, effect: { status: 500 } }',
    '5:25: expected `unchecked`, `before` or `stored`',
  ],
  ['no effect', '{ on: orders }', '`effect` is missing'],
  ['an effect that does nothing', '{ on: orders, effect: {} }', '5:27: is empty; write `{ status: 500 }`'],
  [
    'an unknown effect',
    '{ on: orders, effect: { statsu: 500 } }',
    '5:29: unknown key `statsu`; did you mean `status`',
  ],
  ['a status that is none', '{ on: orders, effect: { status: 99 } }', '5:37: must be at least 200'],
  ['a status in words', '{ on: orders, effect: { status: "500" } }', '5:37: expected a number, not "500"'],
  ['a duration without unit', '{ on: orders, effect: { delay: 3 } }', '5:36: expected a duration'],
  ['an endless wait', '{ on: orders, effect: { delay: 31d } }', '5:36: must be at most 30d'],
  [
    'a hang of another kind',
    '{ on: orders, effect: { hang: always } }',
    '5:35: expected `forever`, or a duration like 60s',
  ],
  ['a reset that is no reset', '{ on: orders, effect: { reset: false } }', '5:36: expected `true`'],
  [
    'a hang that answers',
    '{ on: orders, effect: { hang: 1s, status: 500 } }',
    '5:47: cannot be combined with `hang`, which sends no answer',
  ],
  [
    'a reset that is cut',
    '{ on: orders, effect: { reset: true, cut: true } }',
    '5:47: cannot be combined with `reset`',
  ],
  [
    'two endings',
    '{ on: orders, effect: { hang: 1s, reset: true } }',
    '5:46: cannot be combined with `hang`',
  ],
  ['two waits', '{ on: orders, effect: { hang: 1s, delay: 1s } }', '5:46: cannot be combined with `hang`'],
  ['a pause without a status', '{ on: orders, effect: { retryAfter: 2 } }', '5:41: needs a `status`'],
  ['half of an answer that there is not', '{ on: orders, effect: { cut: true } }', '5:34: needs a `status`'],
  [
    'a body of nothing',
    '{ on: orders, effect: { body: hello } }',
    '5:35: needs a `status`, unless `when: stored` is set',
  ],
  [
    'a good status before there is an answer',
    '{ on: orders, effect: { status: 200 } }',
    '5:37: 200 needs a `body`',
  ],
  [
    'a body where there is none',
    '{ on: orders, effect: { status: 204, body: hello } }',
    '5:48: an answer with 204 has none',
  ],
  [
    'a number for a body',
    '{ on: orders, effect: { status: 500, body: 5 } }',
    '5:48: expected text, an object or a list, not 5',
  ],
  [
    'a length of its own',
    '{ on: orders, effect: { status: 500, headers: { Content-Length: 5 } } }',
    'cannot be set here',
  ],
  [
    'a header of two lines',
    '{ on: orders, effect: { status: 500, headers: { x-a: "a\\nb" } } }',
    'must be one line',
  ],
  [
    'a header without a name',
    '{ on: orders, effect: { status: 500, headers: { "x a": b } } }',
    'is not a valid header name',
  ],
  [
    'an earlier record where there is none',
    '{ on: [orders, create-order], effect: { stale: true } }',
    '5:52: is an effect on lookups, not on `create-order`',
  ],
  [
    'an earlier record and a status',
    '{ on: orders, effect: { stale: true, status: 503 } }',
    '5:50: cannot be combined with `stale`',
  ],
  ['times that are none', '{ on: orders, effect: { status: 500 }, times: 0 }', '5:51: must be at least 1'],
  [
    'one call, twice',
    '{ on: orders, effect: { status: 500 }, nth: 2, times: 2 }',
    '5:49: means one call; leave `times` out',
  ],
  [
    'one call after others',
    '{ on: orders, effect: { status: 500 }, nth: 2, skip: 1 }',
    '5:49: cannot be combined with `skip`',
  ],
])('a rule with %s is refused where it is wrong', (_, rule, ...expected) => {
  const problems = problemsOf(rule)
  for (const words of expected) expect(problems).toContain(words)
})

test.each([
  [
    'nothing but a status',
    '{ on: orders, effect: { status: 500 } }',
    { when: 'before', skip: 0, times: null, forMs: null },
  ],
  ['the third call', '{ on: orders, effect: { status: 500 }, nth: 3 }', { skip: 2, times: 1 }],
  ['a few, then two', '{ on: orders, effect: { status: 500 }, skip: 3, times: 2 }', { skip: 3, times: 2 }],
  ['a time', '{ on: orders, effect: { status: 500 }, for: 2m }', { forMs: 120_000 }],
  [
    'a hang for ever',
    '{ on: orders, effect: { hang: forever } }',
    { effect: { leaves: 'never', closedAfterMs: null } },
  ],
  [
    'a body as an object',
    '{ on: orders, effect: { status: 500, body: { a: [1] } } }',
    { effect: { body: '{"a":[1]}' } },
  ],
  [
    'headers, which win over what follows from the rest',
    '{ on: orders, effect: { status: 503, body: x, retryAfter: 9, headers: { Retry-After: soon, Content-Type: a/b } } }',
    { effect: { headers: { 'retry-after': 'soon', 'content-type': 'a/b' } } },
  ],
])('a rule with %s is read', (_, rule, expected) => {
  expect(read(rule)).toMatchObject({ scenario: { answers: [expected] } })
})

test('editors get a schema in which every member is described', () => {
  const schema = z.toJSONSchema(answerRuleText, { io: 'input' })
  const effect = Object(schema.properties?.effect)
  for (const members of [schema.properties, effect.properties]) {
    for (const member of Object.values(members)) expect(member).toHaveProperty('description')
  }
  expect(schema).toMatchObject({ additionalProperties: false, required: ['on', 'effect'] })
})

test('the scenario that docs/reference/faults.md shows is right', () => {
  const text = /```yaml\n(.*?)```/s.exec(readFileSync('docs/reference/faults.md', 'utf8'))?.[1] ?? ''
  expect(readScenarioFile(text, 'docs/reference/faults.md', 'hard-to-reach')).toHaveProperty('scenario')
})
