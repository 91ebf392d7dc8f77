import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** A fault that never sends the webhook: its delivery ends as `dead`. */
export const drop = webhookFault({
  stored: { drop: z.boolean().optional() },
  written: {
    drop: z.literal(true).optional().meta({ description: 'The webhook is never sent: it ends as `dead`.' }),
  },
  read: ({ drop }) => ({ drop }),
  sentences: ({ drop }) => (drop ? ['Nothing was sent.'] : []),
})
