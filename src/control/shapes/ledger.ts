import * as z from 'zod'
import { errorMembers, moment, momentOr } from './common.ts'

const nextDueAt = momentOr('null if nothing is due.')

const transition = z.strictObject({
  at: moment,
  orderId: z.string(),
  requestId: z.string(),
  clientId: z.string(),
  what: z.string().meta({ description: '`order`, `payment` or `settlement`.' }),
  from: z.string(),
  to: z.string(),
})

const deliveryLine = z.strictObject({
  at: moment,
  deliveryId: z.string(),
  requestId: z.string(),
  orderStatus: z.string(),
  attempt: z.int(),
  outcome: z.enum(['accepted', 'refused', 'timeout', 'connection', 'unknown']),
  status: z.int().nullable(),
})

/** Schema of the events during a walk of the clocks. */
export const ledger = z
  .strictObject({
    from: moment.optional().meta({ description: 'Left out if several clients advanced.' }),
    now: moment.optional().meta({ description: 'Left out if several clients advanced.' }),
    clients: z
      .array(z.strictObject({ clientId: z.string(), from: moment, now: moment, nextDueAt }))
      .optional()
      .meta({ description: 'The times of each client; only without `?clientId=`.' }),
    transitions: z.array(transition),
    deliveries: z.array(deliveryLine),
    truncated: z.strictObject({ transitions: z.int(), deliveries: z.int() }).optional().meta({
      description: 'The number of lines missing at the end of each list, if a list has more than 50,000.',
    }),
    nextDueAt,
  })
  .meta({
    id: 'Ledger',
    description: 'What happened while the clocks advanced, sorted by time, requestId and order of commit.',
    example: {
      from: 1790000000000,
      now: 1790000600000,
      transitions: [
        {
          at: 1790000002000,
          orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
          requestId: 'r1',
          clientId: 'demo-client',
          what: 'order',
          from: 'CREATED',
          to: 'COMPLETED',
        },
      ],
      deliveries: [
        {
          at: 1790000002000,
          deliveryId: 'del_1',
          requestId: 'r1',
          orderStatus: 'COMPLETED',
          attempt: 1,
          outcome: 'accepted',
          status: 200,
        },
      ],
      nextDueAt: null,
    },
  })

/** Schema of a ledger that ended with an error; the clocks stay where they stopped. */
export const endedLedger = z.strictObject({ ...errorMembers, ...ledger.shape }).meta({
  id: 'EndedLedger',
  description: 'The ledger up to the point where the advance stopped, and the reason.',
})
