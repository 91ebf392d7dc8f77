import * as z from 'zod'
import type { SettingsOverlay } from '../choices/settings.ts'
import { shown } from '../text/issue-words.ts'
import { type EpochMs, moment } from '../text/time.ts'
import { webhookUrl } from '../text/webhook-url.ts'
import type { Where } from '../text/where.ts'

/** Schema of a clock change: a `manual` clock stands still, a `real` one advances `speed` seconds per second of
 *  wall-clock time. */
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

/** A requested change of a client's clock. */
export type WantedClock = z.output<typeof clockPace>

/** The mode and the speed of a clock. */
export interface Pace {
  readonly mode: 'real' | 'manual'
  readonly speed: number
}

/** Applies a requested change to a clock's pace. `speed` alone selects a real clock, or a manual one if it is 0. A
 *  manual clock that becomes real without a `speed` advances one second per second. */
export function paceOf(before: Pace, { mode, speed }: WantedClock): Pace {
  const wanted = mode ?? (speed === undefined ? before.mode : speed === 0 ? 'manual' : 'real')
  return { mode: wanted, speed: wanted === 'manual' ? 0 : speed || before.speed || 1 }
}

/** Schema of a clientId or token: text that is valid in HTTP headers and in paths of the control API. */
export const headerText = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .refine((text) => text !== '.' && text !== '..', 'must not be `.` or `..`, which cannot be part of a path')

/** Schema of a webhook secret: text. Which texts can be a key, the settings decide (`keyProblem`). */
export const webhookSecret = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')

export const clientMembers = {
  apiSecret: z.string().min(1).max(1000).optional().meta({ description: 'Signs create calls.' }),
  accessToken: headerText.optional().meta({ description: 'Never expires.' }),
  webhookSecret: webhookSecret.optional().meta({
    description: 'Signs webhooks: `whsec_` and base64, or as `webhook.signature` reads it.',
  }),
  webhookUrl: webhookUrl.nullable().optional().meta({ description: 'Where webhooks are sent.' }),
  defaultScenario: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'For orders that select no scenario. `happy` if left out.' }),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Settings of this client, by dotted name or in groups.' }),
}

/** A webhook secret that was replaced by a rotation. */
export interface PreviousSecret {
  readonly secret: string
  /** The time on the client's clock until which webhooks are signed with it too. */
  readonly validUntil: EpochMs
}

/** Whether webhooks are still signed with the secret before the last rotation. */
export const isRotating = (
  { previousWebhookSecret: previous }: Pick<Client, 'previousWebhookSecret'>,
  now: EpochMs,
) => previous !== null && now < previous.validUntil

/** The state of a clock: when the wall clock was at `anchorWall`, the clock read `anchor`. A manual clock has speed
 *  0 and stays at `anchor` until a call moves it; a real one runs at `speed`. */
export interface ClockState {
  readonly mode: 'real' | 'manual'
  readonly speed: number
  readonly anchor: EpochMs
  readonly anchorWall: EpochMs
}

/** A client (a merchant account): its credentials, its webhook URL, and the state of its sandbox. */
export interface Client {
  readonly clientId: string
  readonly apiSecret: string
  /** The client's own token, which never expires automatically; issued tokens do (N64b). */
  readonly accessToken: string
  readonly webhookSecret: string
  /** The webhook secret before the last rotation; null if there was none (N70). */
  readonly previousWebhookSecret: PreviousSecret | null
  readonly webhookUrl: string | null
  /** True after the webhook endpoint answered 410 (N44), or failed too often in a row (N72): nothing is sent until the
   *  webhook URL is set again. */
  readonly webhookPaused: boolean
  /** The number of failed attempts in a row that paused the webhooks; null if a 410 did, or nothing. */
  readonly pausedAfter: number | null
  /** The number of failed webhook attempts since the last accepted one, or since the URL was set. Counted only with the
   *  setting `webhook.disableAfter`. */
  readonly failedInARow: number
  /** Queries for deliveries that are held back when they become due. */
  readonly holds: readonly Where[]
  /** True after a scenario or a test let the client's own token expire, until the client gets another one. */
  readonly ownTokenExpired: boolean
  /** The time until which all tokens of the client are refused; null for none. */
  readonly tokensRefusedUntil: EpochMs | null
  readonly defaultScenario: string
  readonly clock: ClockState
  /** The time of the client's creation, on its own clock and on the wall clock. */
  readonly began: { readonly at: EpochMs; readonly wallAt: EpochMs }
  /** The client's own settings, which override the common ones. */
  readonly settings: SettingsOverlay
}

/** The creation time of a client whose clock starts in this state. */
export const beginningOf = ({ anchor, anchorWall }: ClockState): Client['began'] => ({
  at: anchor,
  wallAt: anchorWall,
})

/** A token issued by the access token API (N64a, N64b). */
export interface IssuedToken {
  readonly token: string
  readonly clientId: string
  readonly expiresAt: EpochMs
}

/** A number that changes when a client is created, emptied or replaced, and never repeats. The store rejects writes
 *  that were decided under an older generation. */
export type Generation = number
/** The default credentials of the demo client. */
export const demoCredentials = {
  apiSecret: 'demo-secret',
  accessToken: 'demo-token',
  webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
} as const
