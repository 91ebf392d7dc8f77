import * as z from 'zod'

const met = z.int().meta({ description: 'The number of times; 0 for never.' })

const hazardMet = z
  .strictObject({
    name: z.string(),
    does: z.string().meta({ description: 'What the provider does, as a part of a sentence.' }),
    losesMoney: z.boolean().meta({ description: 'Wrong handling loses money.' }),
    bring: z.string().meta({ description: 'The line that causes it: code for a test, or a command.' }),
    met,
  })
  .meta({ id: 'HazardMet' })

const itemMet = z
  .strictObject({
    name: z.string(),
    met,
    counts: z.boolean().meta({
      description:
        'Whether it counts for `percent`. Statuses that only scenarios use do not count. Neither do answers of operations without a call.',
    }),
  })
  .meta({ id: 'ItemMet' })

const items = z.array(itemMet)

export const coverage = z
  .strictObject({
    hazards: z.array(hazardMet).meta({ description: 'Hazards that lose money come first.' }),
    answers: items.meta({ description: 'Answers of operations: the status, and the cause of a refusal.' }),
    statuses: items.meta({ description: 'Statuses of orders, payments and refunds.' }),
    transitions: items,
    errorCodes: items,
    attempts: items.meta({ description: 'Outcomes of webhook attempts.' }),
    met: z.int().meta({ description: 'The number of counted items that were met.' }),
    of: z.int().meta({ description: 'The number of counted items.' }),
    percent: z.number().meta({ description: 'Rounded down to a tenth.' }),
  })
  .meta({
    id: 'Coverage',
    example: {
      hazards: [
        {
          name: 'webhook-twice',
          does: 'sends each webhook twice at the same time',
          losesMoney: true,
          bring: "await client.scenarios.next('webhook-duplicate')",
          met: 0,
        },
      ],
      answers: [{ name: 'create-checkout-order 200', met: 2, counts: true }],
      statuses: [{ name: 'order COMPLETED', met: 2, counts: true }],
      transitions: [{ name: 'order CREATED -> COMPLETED', met: 2, counts: true }],
      errorCodes: [{ name: '7001', met: 0, counts: true }],
      attempts: [{ name: 'accepted', met: 4, counts: true }],
      met: 4,
      of: 6,
      percent: 66.6,
    },
  })
