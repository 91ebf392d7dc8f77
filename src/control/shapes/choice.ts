import * as z from 'zod'

/** What the interface document leaves open, and what the emulator does about it. */
export const choice = z
  .strictObject({
    n: z.string().meta({ description: 'The id of the assumption, used in code, tests and docs.' }),
    open: z.string(),
    choice: z.string(),
    reason: z.string(),
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
      }),
    ),
  })
  .meta({ id: 'Choice' })
