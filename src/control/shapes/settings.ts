import * as z from 'zod'

/** Schema of an example webhook: the headers of its signature and token, and its body. */
export const signedExample = z.strictObject({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

/** Schema of an assumption: behaviour that the API specification leaves open, and the emulator's choice. */
export const choice = z
  .strictObject({
    n: z.string().meta({ description: 'The id of the assumption, used in code, tests and docs.' }),
    open: z.string(),
    choice: z.string(),
    reason: z.string(),
    example: signedExample.nullable().meta({
      description:
        'For the assumptions about the body and the signature of webhooks: an example by the current settings, with the secrets of the demo client.',
    }),
    settings: z.array(
      z.strictObject({
        name: z.string(),
        default: z.unknown(),
        value: z.unknown().meta({ description: 'The current value.' }),
        allowed: z.string().meta({ description: 'The allowed values, in words.' }),
        values: z
          .array(z.union([z.string(), z.boolean()]))
          .nullable()
          .meta({
            description: 'All allowed values, if the list is complete; null if other values are allowed too.',
          }),
        scope: z.enum(['common', 'client', 'order']),
        source: z.enum(['shipped', 'set', 'learned']).meta({
          description:
            'The default of the emulator, set by somebody, or learned from captures of the real service.',
        }),
        learned: z
          .strictObject({ on: z.string(), observations: z.int(), evidence: z.string() })
          .nullable()
          .meta({ description: 'When `learn` found the value, and what shows it; null unless learned.' }),
      }),
    ),
  })
  .meta({ id: 'Choice' })

const values = z.record(z.string(), z.unknown())

/** Schema of the response of `GET` and `PATCH /settings`. */
export const settingsAnswer = z
  .strictObject({
    settings: values.meta({
      description:
        'The values that were set at run time and that PATCH changes: for all clients, or for this client.',
    }),
    effective: values.meta({ description: 'Every setting with its current value.' }),
    from: z.record(z.string(), z.enum(['start', 'common', 'client'])).meta({
      description:
        'Where the current value was set: at the start (`--settings`), for all clients, or for this client. A setting that is missing here has its default.',
    }),
  })
  .meta({ id: 'Settings' })
