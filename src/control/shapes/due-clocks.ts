import * as z from 'zod'
import { clockReading } from './client.ts'
import { moment } from './moments.ts'

/** The clock of a client, with what comes next on it. */
export const dueClock = clockReading
  .extend({
    clientId: z.string(),
    next: z
      .strictObject({
        dueAt: moment,
        what: z
          .enum(['step', 'delivery', 'answer'])
          .meta({ description: 'Of an order, of a webhook, or an answer that is held back.' }),
        words: z
          .string()
          .meta({ description: 'What it is: `order COMPLETED`, `webhook CREATED, attempt 2`.' }),
        orderId: z.string().nullable(),
        requestId: z.string().nullable(),
        deliveryId: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'null when nothing is due by itself.' }),
  })
  .meta({ id: 'DueClock' })
