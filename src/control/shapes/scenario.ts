import * as z from 'zod'
import { orderKinds } from '../../domain/order/order.ts'
import { moment } from './common.ts'
import { signedExample } from './settings.ts'

const kinds = z
  .array(z.enum(orderKinds))
  .nullable()
  .meta({ description: 'The kinds of order that it applies to; null for all.' })

const summaryMembers = {
  id: z.string(),
  description: z.string(),
  tests: z.string().meta({ description: 'What it tests in your code.' }),
  for: kinds,
  version: z.string().meta({ description: 'A hash of its content.' }),
  from: z.enum(['built-in', 'file', 'put']),
  steps: z
    .array(
      z.strictObject({
        afterMs: z.int().nullable().meta({
          description:
            'Time since the creation of the order; null if it depends on the payer, a lookup or a date of the order.',
        }),
        what: z.string(),
        orderStatus: z
          .string()
          .nullable()
          .meta({ description: 'The new status of the order, if it changes.' }),
      }),
    )
    .meta({ description: 'The steps of its timeline, without webhooks and charges.' }),
}

/** Schema of a scenario in a list. */
export const scenarioSummary = z.strictObject(summaryMembers).meta({ id: 'ScenarioSummary' })

/** Schema of a scenario with its text. */
export const wholeScenario = z
  .strictObject({
    ...summaryMembers,
    file: z.string().nullable().meta({ description: 'null if it was added through the control API.' }),
    text: z.string().meta({ description: 'The text of the file.' }),
    problems: z.array(z.string()).meta({ description: 'The errors in the current version of its file.' }),
  })
  .meta({ id: 'Scenario' })

/** Schema of a scenario chosen for the next orders. */
export const binding = z
  .strictObject({
    id: z.string(),
    scenario: z.string(),
    clientId: z.string().nullable(),
    requestId: z.string().nullable(),
    remaining: z.int().meta({ description: 'The number of further orders that it applies to.' }),
  })
  .meta({ id: 'Binding' })

/** Schema of a problem in a scenario file. */
export const brokenFile = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the scenario that the file should contain.' }),
    file: z.string(),
    line: z.int().meta({ description: 'Counted from 1, like the column.' }),
    column: z.int(),
    message: z.string(),
    used: z
      .boolean()
      .meta({ description: 'Whether an earlier version, or another scenario with this id, is in use.' }),
  })
  .meta({ id: 'ScenarioProblem' })

const place = {
  at: moment,
  afterMs: z.int().meta({ description: 'Time since the creation of the first order.' }),
  orderId: z.string(),
  charge: z.int(),
}

const changeRow = z.strictObject({
  type: z.literal('change'),
  ...place,
  assumed: z.string().nullable().meta({ description: 'The assumed trigger; null if there is none.' }),
  changes: z.array(
    z.strictObject({ what: z.string(), from: z.string().optional(), to: z.string().optional() }),
  ),
  errorCode: z.string().nullable(),
})

const webhookRow = z.strictObject({
  type: z.literal('webhook'),
  ...place,
  sent: z.boolean().meta({ description: 'False if the client has no webhook URL.' }),
  orderStatus: z.string(),
  orderType: z.string(),
  late: z.boolean(),
  wrong: z.string().meta({ description: 'The faults of its attempts; empty if there are none.' }),
  body: z.string(),
})

export const explanation = z
  .strictObject({
    id: z.string(),
    description: z.string(),
    tests: z.string(),
    for: kinds,
    order: z.strictObject({
      kind: z.enum(orderKinds),
      fiatAmount: z.string(),
      currencyId: z.string(),
      createdAt: moment,
      expiresAt: moment,
      seed: z.string(),
    }),
    rows: z.array(z.discriminatedUnion('type', [changeRow, webhookRow])),
    example: signedExample.nullable().meta({
      description:
        'The first webhook as the settings sign it, with the secrets of the demo client; null if none is sent.',
    }),
    webhookRules: z.array(z.string()),
    answerRules: z.array(z.string()),
    drawn: z.array(z.string()).meta({ description: 'The parts of the random mix that this order gets.' }),
    cut: z.string().nullable().meta({ description: 'Why the timetable ends although more would follow.' }),
  })
  .meta({ id: 'Explanation' })
