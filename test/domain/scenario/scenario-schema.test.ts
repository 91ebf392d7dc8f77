import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { explain } from '../../../src/domain/explain/explanation.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { readYaml } from '../../../src/domain/text/yaml-source.ts'
import { scenarioSchema, sharedScenarioSchema } from '../../../tools/docs/scenario-schema.ts'
import { isObject } from '../../support/answer.ts'
import { accepts } from '../../support/json-schema.ts'

const schema: unknown = JSON.parse(JSON.stringify(sharedScenarioSchema()))
const guide = readFileSync('docs/reference/scenarios.md', 'utf8')

/** The verdicts of the schema and of the checker about a file. */
function verdicts(text: string, id = 'x') {
  return {
    schema: accepts(schema, readYaml(text, 'x.yaml').value),
    checker: 'scenario' in readScenarioFile(text, `${id}.yaml`, id),
  }
}

test.each(globSync('scenarios/*.yaml'))('%s names the schema, and the schema takes it', (file) => {
  const text = readFileSync(file, 'utf8')
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=schema.json')
  expect(verdicts(text, basename(file, '.yaml'))).toEqual({ schema: true, checker: true })
})

const step = (line: string) => `id: x\ndescription: d\ntimeline:\n  - ${line}\n`
const head = 'id: x\ndescription: d\ntimeline: []\n'

test.each([
  step('{ atr: 2s, pay: completed }'),
  step('{ at: 2, pay: completed }'),
  step('{ at: 2 seconds, pay: completed }'),
  step('{ at: "2", pay: completed }'),
  step('{ at: exipry, pay: completed }'),
  step('{ at: expiry + 1, pay: completed }'),
  step('{ at: 1s, after: 1s, pay: completed }'),
  step('{ pay: completed }'),
  step('{ at: 1s }'),
  step('{ at: 1s, pay: done }'),
  step('{ at: 1s, order: FAILED, error: 9004 }'),
  step('{ at: 1s, refund: 30 }'),
  step('{ at: 1s, refund: 30%% }'),
  step('{ at: 1s, crypto: {} }'),
  step('{ at: 1s, client: {} }'),
  step('{ at: 1s, cancel: false }'),
  step('{ every: interval }'),
  step('{ every: month, order: COMPLETED }'),
  step('{ lookup: 0, order: COMPLETED }'),
  step('{ at: 1s, pay: completed, from: 2 }'),
  'id: x\ntimeline: []\n',
  `${head}for: checkouts\n`,
  `${head}trial: 1w\n`,
  `${head}clock: 2026-01-31\n`,
  `${head}begin: { padMetadata: 200 }\n`,
  `${head}webhooks: { dely: 1s }\n`,
  `${head}webhooks: { delay: 1 }\n`,
  `${head}answers: [{ on: order, effect: { status: 500 } }]\n`,
  `${head}settings: { orders: { expiri: 3m } }\n`,
  `${head}settings: { orders.onExpiry: explode }\n`,
  `${head}settings: { publicBaseUrl: http://a }\n`,
  `${head}random: { pick: 1 to 2, from: [{ name: a }] }\n`,
  head.replace('id: x', 'id: X y'),
])('the schema refuses, as the checker does: %j', (text) => {
  expect(verdicts(text)).toEqual({ schema: false, checker: false })
})

test.each([
  step('{ at: 1h30m, pay: completed }'),
  step('{ at: PT15M, pay: completed }'),
  step('{ at: expiry - 1m, order: FAILED }'),
  step('{ at: payer, pay: completed }'),
  step('{ lookup: { n: 2, of: orders }, order: COMPLETED }'),
  step('{ at: 1s, order: COMPLETED, refund: { amount: 30%, status: REFUNDED } }'),
  step('{ at: 1s, client: { webhookUrl: null } }'),
  `${head}settings: { orders: { expiry: 3m }, webhook.retry: { max: 2 } }\n`,
  `${head}settings: { webhook: { retry.cap: 1m } }\n`,
  `${head}random: { pick: 0-1, from: [{ name: a, webhooks: { drop: true } }] }\n`,
  `${head}begin: { updatedTs: -5m, padMetadata: 2KiB, metadata: { a: [1] } }\n`,
  `${head}for: [checkout, payout]\n`,
])('the schema takes, as the checker does: %j', (text) => {
  expect(verdicts(text)).toEqual({ schema: true, checker: true })
})

test('every member is described, so that completions teach', () => {
  const silent: string[] = []
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) look(one, path)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (name !== 'properties') look(inner, path)
      else for (const [member, one] of Object.entries(Object(inner))) lookAtMember(one, `${path}.${member}`)
    }
  }
  const lookAtMember = (member: unknown, path: string) => {
    const isGroup = path.startsWith('.settings.') && isObject(member) && isObject(member.properties)
    if (isObject(member) && typeof member.description !== 'string' && !isGroup) silent.push(path)
    look(member, path)
  }
  look(scenarioSchema(), '')
  // Settings are described by name; what some of them hold is the service's own.
  expect(silent.filter((path) => !path.startsWith('.settings.'))).toEqual([])
})

test('the example of the guide is right, and does what the guide says', () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? []
  const read = readScenarioFile(example, 'slow-bank.yaml', 'slow-bank')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  expect(accepts(schema, readYaml(example, 'x').value)).toBe(true)
  const webhooks = explain(read.scenario).rows.filter(({ type }) => type === 'webhook')
  expect(webhooks.map((row) => ('orderStatus' in row ? row.orderStatus : null))).toEqual([
    'CREATED',
    'FAILED',
  ])
})
