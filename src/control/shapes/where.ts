import { z } from 'zod'

/** Equalities on the members of a thing, as an answer repeats them. */
export const where = z.record(z.string(), z.string()).meta({
  id: 'Where',
  description:
    'Equality on the members of a thing; a text may end in `*` and then fits whatever begins like it. Without members it fits everything.',
  example: { requestId: 'r1', orderStatus: 'COMPL*' },
})
