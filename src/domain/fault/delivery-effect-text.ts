import * as z from 'zod'
import { attemptFaultMembers, attemptFaults } from '../attempt-fault-members.ts'
import type { AttemptFaults } from '../attempt-faults.ts'
import { duration } from '../duration.ts'

/** What is done to one attempt of a delivery. */
export interface DeliveryEffect {
  readonly faults: AttemptFaults
  /** It is made so much later; nothing waits for it meanwhile. */
  readonly delayMs: number
}

const longestDelayMs = 365 * 86_400_000
const mostCopies = 50

/** The same as `POST /_emulator/faults` takes it; the words are those of a scenario's webhooks. */
export const deliveryEffectText = z
  .strictObject({
    drop: z.literal(true).optional().meta({ description: 'The webhook is never sent: it ends as `dead`.' }),
    delay: duration
      .refine((ms) => ms <= longestDelayMs, 'must be at most 365d')
      .optional()
      .meta({ description: 'Delays the attempt by this time; later webhooks do not wait for it.' }),
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
    ...attemptFaultMembers,
    countAs: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status that counts instead of the receiver’s answer.' }),
  })
  .superRefine((effect, context) => {
    const tell = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: [member], message })
    const members = Object.keys(effect)
    if (members.length === 0) context.addIssue('is empty; write `{ countAs: 500 }`, for example')
    if (effect.drop && members.length > 1)
      tell('drop', 'cannot be combined with other effects: nothing is sent')
    if (effect.apart !== undefined && effect.duplicate === undefined) tell('apart', 'needs `duplicate`')
    if (effect.sign === 'old' && effect.timestamp !== undefined)
      tell('timestamp', '`sign: old` already shifts the timestamp; use only one of the two')
  })
  .transform(
    ({ drop, delay, duplicate, apart, countAs, ...rest }): DeliveryEffect => ({
      faults: {
        ...attemptFaults(rest),
        ...(countAs !== undefined && { countAs }),
        ...(drop && { drop }),
        ...(duplicate !== undefined && { duplicate }),
        ...(apart !== undefined && { apartMs: apart }),
      },
      delayMs: delay ?? 0,
    }),
  )
