import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { readScenarioFile } from '../../../src/domain/scenario/compile-scenario.ts'
import { extraWebhookText, webhookRuleText } from '../../../src/domain/scenario/webhook-rule-text.ts'

const page = readFileSync(new URL('../../../docs/reference/faults.md', import.meta.url), 'utf8')

const membersOf = (schema: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {})

test('an extra webhook takes the members that the page says', () => {
  const without = ['of', 'drop', 'after', 'early']
  const expected = membersOf(webhookRuleText).filter((member) => !without.includes(member))
  expect(membersOf(extraWebhookText).toSorted()).toEqual(['status', ...expected].toSorted())
})

test('the example of the page is a scenario', () => {
  const example = /^```yaml\n(id: two-troubles\n[\s\S]*?)^```/m.exec(page)?.[1] ?? ''
  expect(readScenarioFile(example, 'two-troubles.yaml', 'two-troubles')).toHaveProperty('scenario')
})
