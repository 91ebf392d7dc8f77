import * as z from 'zod'
import { mostMembers } from '../../domain/text/where.ts'

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

/** Schema of an error with the nearest items. */
export const missed = z
  .strictObject({
    error: z.strictObject({ code: z.string(), message: z.string() }),
    nearest: z
      .array(nearMiss)
      .meta({ description: 'At most five, those with the fewest different fields first.' }),
  })
  .meta({ description: 'The wait timed out without a match; with the nearest items.' })

export const errorMembers = {
  error: z.strictObject({
    code: z.string().meta({ description: 'A stable error code.' }),
    message: z.string().meta({ description: 'What is wrong, where, and what to do.' }),
  }),
}

/** Schema of every error of the control API. */
export const error = z.strictObject(errorMembers).meta({ id: 'ControlError' })

const wanted = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
})

/** Schema of `where`: conditions on the fields of an item. */
export const where = z
  .record(z.string().max(200), wanted)
  .refine((members) => Object.keys(members).length <= mostMembers, `may have at most ${mostMembers} fields`)
  .meta({
    id: 'Where',
    description:
      'Fields that must be equal in an item, as its GET shows it. A text may end in `*` to match any ending; a text also matches a number with the same digits. null matches a missing field. A dotted name reaches into objects, lists and JSON texts. An empty object matches everything.',
    example: { requestId: 'r1', orderStatus: 'COMPL*' },
  })

/** Schema of a page of a list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null at the end.' }),
  })

export const moment = z.int().meta({ description: 'Epoch milliseconds on the client’s clock.' })

export const wallMoment = z.int().meta({ description: 'Epoch milliseconds of wall-clock time.' })

/** Schema of a time on the client's clock, or null.
 *  @param description meaning of null */
export const momentOr = (description: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Epoch milliseconds on the client’s clock; ${description}` })
