import { expect, test } from 'vitest'
import { explainText } from '../../../src/domain/explain/explain-text.ts'
import { explain } from '../../../src/domain/explain/explanation.ts'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'

test('the largest timetable that a file can ask for is told in a moment', () => {
  const copies = 'duplicate: 50, simultaneous: 15'
  const steps = Array.from({ length: 1_000 }, (_, n) => `{ at: ${n}s, order: S${n}, webhook: { ${copies} } }`)
  const text = `id: x
description: No webhook waits for the answer of the create call
webhooks: [{ of: CREATED, drop: true }, { ${copies} }]
timeline: [${steps.join(', ')}]
`
  const read = readScenarioFile(text, 'x', 'x')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const told = explain(read.scenario)
  expect(told.rows.filter(({ type }) => type === 'webhook')).toHaveLength(2_000 * 66)
  expect(explainText(told).split('\n').length).toBeGreaterThan(2_000 * 66)
})

test.each([
  '[{ at: 2s, order: FAILED }, { at: payer, pay: completed, force: true }]',
  '[{ at: 2s, pay: completed }, { at: payer, order: COMPLETED }]',
])('nobody is assumed to pay an order that has failed or is paid: %s', (timeline) => {
  const read = readScenarioFile(`id: x\ndescription: d\ntimeline: ${timeline}\n`, 'x', 'x')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  expect(explainText(explain(read.scenario))).toMatch(/Nothing more happens automatically\.$/)
})

test('strict order is explained as what every webhook waits for', () => {
  const read = readScenarioFile('id: x\ndescription: d\ntimeline: []\n', 'x', 'x')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const rulesUnder = (order: 'strict' | 'per-order') =>
    explain(read.scenario, { settings: [{ 'webhook.order': order }] }).webhookRules
  expect(rulesUnder('strict')).toEqual([expect.stringContaining('waits until all older ones')])
  expect(rulesUnder('per-order')).toEqual([])
})

test('a list of signatures is explained, unless standard signatures are switched off', () => {
  const read = readScenarioFile(
    'id: x\ndescription: d\ntimeline: []\nwebhooks: { signatures: [foreign, current] }\n',
    'x',
    'x',
  )
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  const wrongUnder = (auth: 'standard' | 'none') =>
    explain(read.scenario, { settings: [{ 'webhook.auth': auth }] }).rows.flatMap((row) =>
      row.type === 'webhook' ? [row.wrong] : [],
    )
  expect(wrongUnder('standard')).toEqual(['faults: signatures: foreign; current'])
  expect(wrongUnder('none')).toEqual([''])
})
