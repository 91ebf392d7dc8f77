import * as z from 'zod'
import { clockReading } from './client.ts'
import { moment } from './common.ts'

/** Schema of a client's clock with its next due event. */
export const dueClock = clockReading
  .extend({
    clientId: z.string(),
    next: z
      .strictObject({
        dueAt: moment,
        what: z
          .enum(['step', 'delivery', 'answer'])
          .meta({ description: 'The kind of the due event: of an order, of a webhook, or a held answer.' }),
        words: z
          .string()
          .meta({ description: 'The event: `order COMPLETED`, `webhook CREATED, attempt 2`.' }),
        orderId: z.string().nullable(),
        requestId: z.string().nullable(),
        deliveryId: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'null if nothing is due.' }),
  })
  .meta({ id: 'DueClock' })

/** Schema of the defaults for new clocks, and of each client's clock. */
export const allClocks = clockReading
  .extend({ clients: z.array(clockReading.extend({ clientId: z.string() })) })
  .meta({
    id: 'Clocks',
    description: 'The clock of new clients, and the clock of each client.',
    example: {
      mode: 'real',
      now: 1790000000000,
      speed: 1,
      clients: [{ clientId: 'demo-client', mode: 'real', now: 1790000000000, speed: 1 }],
    },
  })

/** Schema of one clock with `?clientId=`, of all clocks without. */
export const clocks = z.union([clockReading, allClocks])
