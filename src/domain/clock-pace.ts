import * as z from 'zod'
import { shown } from './issue-words.ts'
import { moment } from './moment.ts'

/** How a clock is to go: `manual` stands still, `real` passes `speed` seconds in a second. */
export const clockPace = z
  .strictObject(
    {
      mode: z
        .enum(['real', 'manual'])
        .optional()
        .meta({ description: '`manual`: time stands still until it is moved.' }),
      speed: z
        .union([z.literal(0), z.number().min(0.001).max(1_000_000)])
        .optional()
        .meta({
          description: 'Clock seconds per second of wall-clock time, from 0.001; 0 on a manual clock.',
          override: ({ jsonSchema }) => {
            delete jsonSchema.anyOf
            Object.assign(jsonSchema, { type: 'number', minimum: 0, maximum: 1_000_000 })
          },
        }),
      now: moment.optional().meta({ description: 'The time that it shows: ISO 8601 or epoch milliseconds.' }),
    },
    {
      error: ({ code, input }) =>
        code === 'invalid_type' && input !== undefined
          ? `expected an object like {"mode":"manual"}, not ${shown(input)}`
          : undefined,
    },
  )
  .refine(({ mode, speed }) => mode !== 'real' || speed !== 0, {
    path: ['speed'],
    message: 'is 0 only on a manual clock; a real clock needs more',
  })

/** What may be asked of a clock. */
export type WantedClock = z.output<typeof clockPace>

/** How time passes. */
export interface Pace {
  readonly mode: 'real' | 'manual'
  readonly speed: number
}

/** The pace that is wanted: `speed` alone means a running clock, but 0 a manual one; a manual one that is set running
 *  passes one second in a second. */
export function paceOf(before: Pace, { mode, speed }: WantedClock): Pace {
  const wanted = mode ?? (speed === undefined ? before.mode : speed === 0 ? 'manual' : 'real')
  return { mode: wanted, speed: wanted === 'manual' ? 0 : speed || before.speed || 1 }
}
