import * as z from 'zod'
import { orderKinds } from '../order/order.ts'
import { isoMoment } from '../text/time.ts'
import { answerRuleText } from './answer-rule-text.ts'
import { beginText, stepText } from './step-text.ts'
import { duration } from './values.ts'
import { webhookRuleText } from './webhook-rule-text.ts'

const kind = z.enum(orderKinds)

const answers = z.array(answerRuleText).max(100)
/** The schema of webhook rules: a list, or a single rule. */
const webhooks = z.union([webhookRuleText.transform((rule) => [rule]), z.array(webhookRuleText).max(100)])

const pick = z.union([
  z
    .int()
    .min(0)
    .transform((n): [number, number] => [n, n]),
  z
    .string()
    .regex(/^\d{1,2}-\d{1,2}$/, 'expected a number, or a range like 1-3')
    .meta({ examples: ['1-3'] })
    .transform((text): [number, number] => [Number(text.split('-')[0]), Number(text.split('-')[1])]),
])

/** Ids that would collide with fixed paths below `/_emulator/scenarios/`. */
export const reservedIds: readonly string[] = ['next', 'problems']

/** A scenario file as written. `compileScenario` checks rules across fields. */
export const scenarioText = z.strictObject({
  id: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens, like fail-9004')
    .refine((id) => !reservedIds.includes(id), 'is a word of the control API; choose another name')
    .meta({ description: 'The name that selects the scenario, and the name of its file.' }),
  description: z.string().min(1).meta({ description: 'What happens, in one line.' }),
  tests: z.string().min(1).default('').meta({ description: 'What it tests in your code.' }),
  for: z
    .union([kind.transform((one) => [one]), z.array(kind).min(1)])
    .optional()
    .meta({ description: 'The kinds of order that it applies to; all if left out.' }),
  trial: duration.optional().meta({ description: 'The trial period if the request has none: 7d.' }),
  clock: isoMoment.optional().meta({
    description: 'The time at which `explain` and similar previews start.',
  }),
  settings: z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'expected an object of settings',
    )
    .meta({ type: 'object' })
    .optional()
    .meta({ description: 'Settings for its orders; they override those of the client.' }),
  begin: beginText.optional().meta({ description: 'The initial state of the order.' }),
  timeline: z.array(stepText).max(1000).meta({ description: 'The events, in the order of their times.' }),
  webhooks: webhooks.optional().meta({ description: 'How its webhooks misbehave.' }),
  answers: answers.optional().meta({ description: 'Which calls about its orders get faulty answers.' }),
  random: z
    .strictObject({
      pick: pick.meta({ description: 'How many of the parts an order gets.' }),
      from: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(64).meta({ description: 'The name that `explain` shows.' }),
            webhooks: webhooks.optional().meta({ description: 'Webhook rules to add to those of the file.' }),
            answers: answers.optional().meta({ description: 'Answer rules to add to those of the file.' }),
          }),
        )
        .min(1)
        .max(100)
        .meta({ description: 'The parts from which the seed chooses some for each order.' }),
    })
    .optional()
    .meta({ description: 'Faults from which the seed chooses some for each order.' }),
})

export type ScenarioText = z.output<typeof scenarioText>
