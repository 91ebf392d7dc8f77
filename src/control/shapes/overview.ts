import * as z from 'zod'
import { recentlyKept } from '../../journal/recent.ts'
import { moment, wallMoment } from './common.ts'

/** Schema of the number of items by status. */
export const countsByStatus = z.record(z.string(), z.int())

/** Schema of what stands and what happened of late. */
export const overview = z
  .strictObject({
    orders: countsByStatus.meta({ description: 'The number of orders by `orderStatus`.' }),
    deliveries: countsByStatus.meta({ description: 'The number of deliveries by `status`.' }),
    attempts: z
      .array(
        z.strictObject({
          deliveryId: z.string(),
          clientId: z.string(),
          requestId: z.string(),
          orderStatus: z.string(),
          n: z.int().meta({ description: 'The number of the attempt of its delivery, counted from 1.' }),
          url: z.string(),
          at: moment,
          wallAt: wallMoment,
          outcome: z.enum(['accepted', 'refused', 'timeout', 'connection', 'unknown']),
          status: z.int().nullable().meta({ description: 'The answer of the receiver, if there was one.' }),
          ms: z.int().meta({ description: 'Duration of the attempt in wall-clock milliseconds.' }),
        }),
      )
      .meta({
        description: `The latest ${recentlyKept.attempts} webhook attempts since the start or the last reset, oldest first.`,
      }),
    refusals: z.array(z.strictObject({ cause: z.string(), count: z.int() })).meta({
      description:
        'The number of rejected calls by cause since the start or the last reset, most frequent first.',
    }),
  })
  .meta({
    id: 'Overview',
    description: 'What there is, and what happened of late.',
    example: {
      orders: { CREATED: 1, COMPLETED: 2 },
      deliveries: { delivered: 5 },
      attempts: [
        {
          deliveryId: 'del_1',
          clientId: 'demo-client',
          requestId: 'r1',
          orderStatus: 'COMPLETED',
          n: 1,
          url: 'http://127.0.0.1:4601/',
          at: 1790000002000,
          wallAt: 1790000002000,
          outcome: 'accepted',
          status: 200,
          ms: 3,
        },
      ],
      refusals: [{ cause: 'signature.amount-spelling', count: 2 }],
    },
  })

const upTo = `At most ${recentlyKept.failures}: older ones are not counted.`

/** Schema of the number of recent failures. */
export const failures = z
  .strictObject({
    attempts: z.int().meta({ description: `Webhook attempts that were not accepted. ${upTo}` }),
    requests: z.int().meta({ description: `Rejected calls of the service. ${upTo}` }),
  })
  .meta({ id: 'Failures', example: { attempts: 2, requests: 0 } })
