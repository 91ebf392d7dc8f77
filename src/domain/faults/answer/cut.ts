import * as z from 'zod'
import { answerFault } from './answer-fault.ts'

/** The fault that breaks the connection after half of the body. */
export const cut = answerFault({
  written: {
    cut: z
      .literal(true)
      .optional()
      .meta({ description: 'The answer announces its whole length, but breaks off after half its body.' }),
  },
  read: ({ cut }) => (cut ? { leaves: 'cut' } : {}),
  words: ({ leaves }) => (leaves === 'cut' ? ['cut in the middle of the body'] : []),
  notes: ({ leaves }) => (leaves === 'cut' ? ['cut after half the body'] : []),
})
