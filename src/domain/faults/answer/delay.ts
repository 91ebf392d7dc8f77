import { formatDuration } from '../../text/duration.ts'
import { duration } from '../../text/duration-schema.ts'
import { answerFault } from './answer-fault.ts'

/** The longest delay of an answer, on the client's clock. */
export const longestDelayMs = 30 * 86_400_000

/** The fault that delays the answer, on the client's clock. */
export const delay = answerFault({
  written: {
    delay: duration
      .refine((ms) => ms <= longestDelayMs, 'must be at most 30d')
      .optional()
      .meta({
        description: 'How long the answer is held back, on the client’s clock; an advance releases it.',
      }),
  },
  read: ({ delay = 0 }) => ({ delayMs: delay }),
  words: ({ delayMs }) => (delayMs === 0 ? [] : [`delay ${formatDuration(delayMs)}`]),
  notes: ({ delayMs }) => (delayMs === 0 ? [] : [`held for ${formatDuration(delayMs)}`]),
  delays: true,
})
