import * as z from 'zod'
import { mostMembers } from '../../domain/where.ts'

const wanted = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
})

/** Equalities on the members of a thing. */
export const where = z
  .record(z.string().max(200), wanted)
  .refine((members) => Object.keys(members).length <= mostMembers, `may have at most ${mostMembers} fields`)
  .meta({
    id: 'Where',
    description:
      'Fields that must be equal in an item, as its GET shows it. A text may end in `*` to match any ending; a text also matches a number with the same digits. null matches a missing field. A dotted name reaches into objects, lists and JSON texts. An empty object matches everything.',
    example: { requestId: 'r1', orderStatus: 'COMPL*' },
  })
