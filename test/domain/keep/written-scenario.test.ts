import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import {
  writtenAnswer,
  writtenBeginning,
  writtenEffect,
  writtenTreatment,
} from '../../../src/domain/keep/written-scenario.ts'
import { yamlComment, yamlField } from '../../../src/domain/keep/yaml-text.ts'
import { answerRuleText } from '../../../src/domain/scenario/answer-rule-text.ts'
import { compileScenario, readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import type { Effect, Scenario, WebhookRule } from '../../../src/domain/scenario/scenario.ts'
import { scenarioText } from '../../../src/domain/scenario/scenario-text.ts'
import { webhookRuleText } from '../../../src/domain/scenario/webhook-rule-text.ts'
import { readYaml } from '../../../src/domain/text/yaml-source.ts'

const shipped = globSync('scenarios/*.yaml').map((file): [string, Scenario] => {
  const id = basename(file, '.yaml')
  const read = readScenarioFile(readFileSync(file, 'utf8'), id, id)
  if ('problems' in read) throw new Error(id)
  return [id, read.scenario]
})

/** The scenario of fields as a file has them. */
function compiled(fields: object): Scenario {
  const text = { id: 'a', description: 'a', timeline: [], ...fields }
  const result = compileScenario(scenarioText.parse(JSON.parse(JSON.stringify(text))))
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.scenario
}

const effectAgain = (effect: Effect) =>
  compiled({
    timeline: [
      { at: '0s', order: 'COMPLETED', refund: 'all' },
      { at: '0s', ...writtenEffect(effect), force: true },
    ],
  }).timeline[1]?.effects

const ruleAgain = ({ of, drop, after, early, ...how }: WebhookRule) =>
  webhookRuleText.parse(JSON.parse(JSON.stringify({ of, drop, after, early, ...writtenTreatment(how) })))

test.each(shipped)('what the scenario %s does is written so that it is read as the same', (_, scenario) => {
  const { timeline, begin, webhooks, answers, random } = scenario
  for (const effect of timeline.flatMap(({ effects }) => effects))
    expect(effectAgain(effect)).toEqual([effect])
  const parts = random?.from ?? []
  for (const rule of [...webhooks, ...parts.flatMap((part) => part.webhooks)])
    expect(ruleAgain(rule)).toEqual(rule)
  for (const rule of [...answers, ...parts.flatMap((part) => part.answers)])
    expect(answerRuleText.parse(JSON.parse(JSON.stringify(writtenAnswer(rule))))).toEqual(rule)
  if (begin !== null) expect(compiled({ begin: writtenBeginning(begin) }).begin).toEqual(begin)
})

test.each<[string, Effect]>([
  ['a decline with its code', { do: 'pay', outcome: 'failed', errorCode: '9005' }],
  ['an exact refund in another status', { do: 'refund', amount: { exact: '3.50' }, status: 'REFUNDED' }],
  [
    'no webhook URL',
    {
      do: 'client',
      tokensExpire: false,
      refuseTokensMs: null,
      tokenLifetimeMs: null,
      webhookUrl: { set: null },
    },
  ],
  [
    'a webhook with an old signature',
    {
      do: 'webhook',
      webhook: {
        status: 'COMPLETED',
        freshIds: true,
        duplicate: 2,
        faults: { sign: 'right', timestampMs: -600_000, cut: 'end', times: 2 },
      },
    },
  ],
  [
    'a webhook with signatures and headers',
    {
      do: 'webhook',
      webhook: {
        status: null,
        faults: {
          signatures: ['foreign', 'current'],
          signatureVersions: ['v9', 'v1'],
          headers: { 'user-agent': null },
        },
      },
    },
  ],
])('%s is written so that it is read as almost the same', (_, effect) => {
  // An old signature is the right one with an old timestamp, and is written as that.
  const again = JSON.parse(JSON.stringify(effect).replace('"sign":"right",', ''))
  expect(effectAgain(effect)).toEqual([again])
})

test.each([
  'plain',
  'two words',
  'yes',
  'null',
  '1e3',
  '0x10',
  '12',
  '9006.1',
  '2s',
  '30%',
  '-5m',
  '',
  ' x',
  'a: b',
  'a #b',
  '{',
  '@x',
  '&a',
  '- a',
  'line\nbreak',
  '\u0085\u2028',
  '"quoted"',
  "it's",
  'ends:',
  '2026-01-01',
  '__proto__',
  'emoji ✅',
])('the text %j keeps its value in YAML, as a value, in a list and as a name', (text) => {
  const value = { list: [text, { [text]: text }], deep: { inner: text } }
  const source = [yamlField('text', text), yamlField('rest', [value])].join('\n')
  expect(readYaml(source, 'file')).toMatchObject({ problems: [] })
  expect(JSON.stringify(readYaml(source, 'file').value)).toBe(JSON.stringify({ text, rest: [value] }))
})

test('a comment stays one, whatever it says', () => {
  const comment = yamlComment(`it says\nid: other\r\n- and ${'more '.repeat(40)}`)
  expect(comment.split(/[\r\n\u0085\u2028]/).filter((line) => !line.startsWith('# '))).toEqual([])
})
