import * as z from 'zod'

/** What the interface document leaves open, and what the emulator does about it. */
export const choice = z
  .strictObject({
    n: z.string().meta({ description: 'The number under which code, tests and documents cite it.' }),
    open: z.string(),
    choice: z.string(),
    reason: z.string(),
    settings: z.array(
      z.strictObject({
        name: z.string(),
        default: z.unknown(),
        value: z.unknown().meta({ description: 'What it is now.' }),
        allowed: z.string().meta({ description: 'The values it takes, in words.' }),
        values: z
          .array(z.union([z.string(), z.boolean()]))
          .nullable()
          .meta({ description: 'The values of a closed set; null where others are taken too.' }),
        scope: z.enum(['common', 'client', 'order']),
      }),
    ),
  })
  .meta({ id: 'Choice' })
