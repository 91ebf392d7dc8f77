import * as z from 'zod'
import { spanWords } from '../../text/duration.ts'
import { signedDuration } from '../../text/duration-schema.ts'
import { webhookFault } from './fault.ts'

/** The fault that shifts the signed timestamp. */
export const timestamp = webhookFault({
  stored: { timestampMs: z.int().optional() },
  written: {
    timestamp: signedDuration.optional().meta({
      description: 'Shifts the timestamp; the signature stays valid: -10m is old, 10m lies in the future.',
    }),
  },
  read: ({ timestamp }) => (timestamp === undefined ? {} : { timestampMs: timestamp }),
  sentences: ({ timestampMs = 0 }) => {
    if (timestampMs === 0) return []
    const direction = timestampMs < 0 ? 'old' : 'in the future'
    return [`Its timestamp is ${spanWords(Math.abs(timestampMs))} ${direction}, with a valid signature.`]
  },
  signing: (signing, { timestampMs = 0 }) => ({ ...signing, shiftMs: timestampMs }),
})
