import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** A fault that loses the attempt on the way: nothing is sent, and the attempt counts as a broken connection. */
export const lost = webhookFault({
  stored: { lost: z.boolean().optional() },
  written: {},
  read: () => ({}),
  sentences: ({ lost }) => (lost ? ['It was dropped: nothing was sent.'] : []),
})
