import * as z from 'zod'

/** Somebody for whom orders were made. */
export const user = z
  .strictObject({
    clientId: z.string(),
    userKey: z.string().meta({
      description: 'Identifies the user: the `userId`, or the e-mail if the request has no userId (R29).',
    }),
    email: z.string(),
    userId: z.string().optional(),
    orders: z.int().meta({ description: 'The number of orders of this user.' }),
  })
  .meta({ id: 'User' })
