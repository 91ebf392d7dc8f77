import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** A fault that sends only the beginning of the body, under the signature of the whole body. */
export const truncate = webhookFault({
  stored: { truncate: z.int().min(0).optional() },
  written: {
    truncate: z.int().min(0).optional().meta({
      description: 'Sends only this many bytes of the body. The signature still covers the whole body.',
    }),
  },
  read: ({ truncate }) => ({ truncate }),
  sentences: ({ truncate }) =>
    truncate === undefined ? [] : [`Only the first ${truncate} bytes of the body were sent.`],
  body: (body, { truncate }) => {
    const sent = body.sent.subarray(0, truncate)
    return { sent, announced: sent.length }
  },
})
