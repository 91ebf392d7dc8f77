import * as z from 'zod'

/** A thing that is not quite as it was wanted. */
export const nearMiss = z
  .strictObject({
    id: z.string().meta({ description: 'For an order, its orderId.' }),
    clientId: z.string().nullable(),
    requestId: z.string().nullable(),
    operation: z.string().nullable().optional().meta({ description: 'Only for requests.' }),
    differs: z.array(
      z.strictObject({
        member: z.string(),
        wanted: z.union([z.string(), z.number(), z.boolean(), z.null()]),
        found: z.unknown().meta({ description: 'null if there is no value; long values are shortened.' }),
      }),
    ),
  })
  .meta({
    id: 'NearMiss',
    description: 'An item that almost matches.',
    example: {
      id: 'req_mf3k2000000001',
      clientId: 'demo-client',
      requestId: 'r1',
      operation: 'create-checkout-order',
      differs: [{ member: 'body.fiatAmount', wanted: '10.00', found: '10' }],
    },
  })

/** An error that comes with the nearest misses. */
export const missed = z
  .strictObject({
    error: z.strictObject({ code: z.string(), message: z.string() }),
    nearest: z
      .array(nearMiss)
      .meta({ description: 'At most five, those with the fewest different fields first.' }),
  })
  .meta({ description: 'The wait timed out without a match; with the nearest items.' })
