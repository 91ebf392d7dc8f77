import * as z from 'zod'
import { answerFault } from './answer-fault.ts'

/** The fault that answers with another status. */
export const status = answerFault({
  written: {
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status of the answer: 500, 503, 429, ...' }),
  },
  read: ({ status = null }) => ({ status }),
  words: ({ status }) => (status === null ? [] : [`status ${status}`]),
  notes: ({ status }, when) =>
    status === null ? [] : [`${status}${when === 'stored' ? ' instead of 200' : ', nothing stored'}`],
})
