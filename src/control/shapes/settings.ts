import * as z from 'zod'

const values = z.record(z.string(), z.unknown())

/** What `GET` and `PATCH /settings` answer. */
export const settingsAnswer = z
  .strictObject({
    settings: values.meta({
      description: 'What was set here at run time, and what PATCH changes: for all clients, or for the one.',
    }),
    effective: values.meta({ description: 'Every setting with the value that holds.' }),
    from: z.record(z.string(), z.enum(['start', 'common', 'client'])).meta({
      description:
        'Where the value that holds was set: at the start (`--settings`), for all clients, or for the one. A setting that is not here has its default.',
    }),
  })
  .meta({ id: 'Settings' })
