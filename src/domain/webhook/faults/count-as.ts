import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** A fault that treats any answer of the receiver as another status. */
export const countAs = webhookFault({
  stored: { countAs: z.int().optional() },
  written: {
    countAs: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status that counts instead of the receiver’s answer.' }),
  },
  read: ({ countAs }) => ({ countAs }),
  sentences: ({ countAs }) => (countAs === undefined ? [] : [`Any answer counts as ${countAs}.`]),
})
