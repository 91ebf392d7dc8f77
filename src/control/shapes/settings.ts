import * as z from 'zod'

const values = z.record(z.string(), z.unknown())

/** What `GET` and `PATCH /settings` answer. */
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
