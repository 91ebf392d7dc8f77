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
    drop: z
      .literal(true)
      .optional()
      .meta({ description: 'The webhook is never sent, now or later: it ends as `dead`.' }),
    delay: duration
      .refine((ms) => ms <= longestDelayMs, 'must be at most 365d')
      .optional()
      .meta({ description: 'The attempt is made so much later; later webhooks do not wait for it.' }),
    duplicate: z
      .int({
        error: ({ input }) =>
          typeof input === 'boolean'
            ? 'expected a number: 1 is sent once more, and so arrives twice'
            : undefined,
      })
      .min(1)
      .max(mostCopies)
      .optional()
      .meta({ description: 'Once accepted, it is sent so many times more, with the same `webhook-id`.' }),
    apart: duration.optional().meta({ description: 'With `duplicate`: from one to the next.' }),
    ...attemptFaultMembers,
    countAs: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .meta({ description: 'The status that counts, whatever the receiver answers.' }),
  })
  .superRefine((effect, context) => {
    const tell = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: [member], message })
    const members = Object.keys(effect)
    if (members.length === 0) context.addIssue('is empty; write `{ countAs: 500 }`, for example')
    if (effect.drop && members.length > 1) tell('drop', 'goes alone: nothing is sent')
    if (effect.apart !== undefined && effect.duplicate === undefined) tell('apart', 'goes with `duplicate`')
    if (effect.sign === 'old' && effect.timestamp !== undefined)
      tell('timestamp', '`sign: old` shifts it already; write one of the two')
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
