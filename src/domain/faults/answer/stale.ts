import * as z from 'zod'
import { answerFault } from './answer-fault.ts'

/** The fault that answers a lookup with earlier records. */
export const stale = answerFault({
  written: {
    stale: z.literal(true).optional().meta({
      description:
        'Lookups only: shows each record as it was before its last change of a status or refund. A record without such a change is shown as it was created.',
    }),
  },
  read: ({ stale }) => (stale ? { stale } : {}),
  words: ({ stale }) => (stale ? ['records before their last change'] : []),
  notes: ({ stale }) => (stale ? ['shows the records before their last change'] : []),
})
