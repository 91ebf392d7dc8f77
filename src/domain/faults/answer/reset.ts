import * as z from 'zod'
import { answerFault } from './answer-fault.ts'

/** The fault that resets the connection instead of answering. */
export const reset = answerFault({
  written: {
    reset: z
      .literal(true)
      .optional()
      .meta({ description: 'Resets the connection (TCP RST) without an answer.' }),
  },
  read: ({ reset }) => (reset ? { leaves: 'reset' } : {}),
  words: ({ leaves }) => (leaves === 'reset' ? ['connection reset'] : []),
  notes: ({ leaves }) => (leaves === 'reset' ? ['connection reset'] : []),
})
