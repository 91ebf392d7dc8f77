import * as z from 'zod'
import { webhookFault } from './fault.ts'

/** A fault that cuts the connection within the webhook's body or at its end, before any answer. */
export const cut = webhookFault({
  stored: { cut: z.union([z.int().min(0), z.literal('end')]).optional() },
  written: {
    cut: z
      .union([z.int().min(1), z.literal('end')])
      .optional()
      .meta({
        description:
          'Cuts the connection after this many bytes of the body, or at its `end`, before any answer.',
      }),
  },
  read: ({ cut }) => ({ cut }),
  sentences: ({ cut }) =>
    cut === undefined
      ? []
      : [`The connection was cut ${cut === 'end' ? 'at the end' : `after ${cut} bytes`} of the body.`],
  body: (body, { cut = 'end' }) => (cut === 'end' ? body : { ...body, sent: body.sent.subarray(0, cut) }),
})
