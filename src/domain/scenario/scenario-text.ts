import * as z from 'zod'
import { isoMoment } from '../moment.ts'
import { orderKinds } from '../order.ts'
import { answerRuleText } from './answer-rule-text.ts'
import { beginText, stepText } from './step-text.ts'
import { duration } from './values.ts'
import { webhookRuleText } from './webhook-rule-text.ts'

const kind = z.enum(orderKinds)

const answers = z.array(answerRuleText).max(100)
/** One rule may stand without a list. */
const webhooks = z.union([webhookRuleText.transform((rule) => [rule]), z.array(webhookRuleText).max(100)])

const pick = z.union([
  z
    .int()
    .min(0)
    .transform((n): [number, number] => [n, n]),
  z
    .string()
    .regex(/^\d{1,2}-\d{1,2}$/, 'expected a number, or two like 1-3')
    .meta({ examples: ['1-3'] })
    .transform((text): [number, number] => [Number(text.split('-')[0]), Number(text.split('-')[1])]),
])

/** `/_emulator/scenarios/{id}` would not be theirs. */
export const reservedIds: readonly string[] = ['next', 'problems']

/** A scenario file as it is written. Rules that one member alone cannot tell are in `compileScenario`. */
export const scenarioText = z.strictObject({
  id: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens, like fail-9004')
    .refine((id) => !reservedIds.includes(id), 'is a word of the control API; choose another name')
    .meta({ description: 'The name it is chosen by; the file is called like it.' }),
  description: z.string().min(1).meta({ description: 'What happens, in one line.' }),
  tests: z.string().min(1).default('').meta({ description: 'What this tests in your code.' }),
  for: z
    .union([kind.transform((one) => [one]), z.array(kind).min(1)])
    .optional()
    .meta({ description: 'The kinds of order it is for; all if left out.' }),
  trial: duration
    .optional()
    .meta({ description: 'The trial of a subscription whose request names none: 7d.' }),
  clock: isoMoment.optional().meta({
    description: 'Where the clock stands when the scenario is shown, by `explain` for example.',
  }),
  settings: z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'expected an object of settings',
    )
    .meta({ type: 'object' })
    .optional()
    .meta({ description: 'Settings for its orders, laid over those of the client.' }),
  begin: beginText.optional().meta({ description: 'What the order is like from the start.' }),
  timeline: z.array(stepText).max(1000).meta({ description: 'What happens, in order of time.' }),
  webhooks: webhooks.optional().meta({ description: 'How its webhooks misbehave.' }),
  answers: answers.optional().meta({ description: 'How calls about it are answered wrongly.' }),
  random: z
    .strictObject({
      pick: pick.meta({ description: 'How many of the parts an order gets.' }),
      from: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(64).meta({ description: 'What `explain` calls it.' }),
            webhooks: webhooks.optional().meta({ description: 'Added to the webhook rules of the file.' }),
            answers: answers.optional().meta({ description: 'Added to the answers of the file.' }),
          }),
        )
        .min(1)
        .max(100)
        .meta({ description: 'The parts, of which each order gets some.' }),
    })
    .optional()
    .meta({ description: 'Mischief of which each order gets some, by the seed.' }),
})

export type ScenarioText = z.output<typeof scenarioText>
