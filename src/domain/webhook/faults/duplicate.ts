import * as z from 'zod'
import { spanWords } from '../../text/duration.ts'
import { duration } from '../../text/duration-schema.ts'
import { webhookFault } from './fault.ts'

/** The maximum number of copies of a webhook. */
export const mostCopies = 50

/** A fault that sends a webhook again after the receiver accepted it. */
export const duplicate = webhookFault({
  stored: { duplicate: z.int().min(0).optional(), apartMs: z.int().min(0).optional() },
  written: {
    duplicate: z
      .int({
        error: ({ input }) =>
          typeof input === 'boolean'
            ? 'expected a number: 1 sends the webhook once more, so it arrives twice'
            : undefined,
      })
      .min(1)
      .max(mostCopies)
      .optional()
      .meta({
        description:
          'After an accepted attempt, sends the webhook this many times more, with the same `webhook-id`.',
      }),
    apart: duration.optional().meta({ description: 'With `duplicate`: the time between two copies.' }),
  },
  read: ({ duplicate, apart }) => ({ duplicate, apartMs: apart }),
  sentences: ({ duplicate, apartMs }) => {
    if (duplicate === undefined) return []
    const times = duplicate === 1 ? 'once' : `${duplicate} times`
    const apart = apartMs === undefined ? '' : `, ${spanWords(apartMs)} apart`
    return [`After it is accepted, it is sent ${times} more${apart}.`]
  },
})
