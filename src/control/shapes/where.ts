import * as z from 'zod'
import { mostMembers } from '../../domain/where.ts'

const wanted = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
})

/** Equalities on the members of a thing. */
export const where = z
  .record(z.string().max(200), wanted)
  .refine((members) => Object.keys(members).length <= mostMembers, `may have ${mostMembers} members at most`)
  .meta({
    id: 'Where',
    description:
      'Equality on the members of a thing as its GET shows it. A text may end in `*` and then fits whatever begins like it; it also fits a number that is written like it. null fits what is not there. A dotted name goes into objects, lists and JSON texts. Without members it fits everything.',
    example: { requestId: 'r1', orderStatus: 'COMPL*' },
  })
