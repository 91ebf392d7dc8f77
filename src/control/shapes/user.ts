import * as z from 'zod'

/** Somebody for whom orders were made. */
export const user = z
  .strictObject({
    clientId: z.string(),
    userKey: z.string().meta({
      description: 'What tells users apart: the `userId`, or the e-mail where none was sent (R29).',
    }),
    email: z.string(),
    userId: z.string().optional(),
    orders: z.int().meta({ description: 'How many orders were made for them.' }),
  })
  .meta({ id: 'User' })
