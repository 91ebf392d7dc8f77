import * as z from 'zod'
import { moment, where } from './common.ts'

/** Schema of a clock's mode, time and speed. */
export const clockReading = z
  .strictObject({
    mode: z.enum(['real', 'manual']),
    now: moment,
    speed: z
      .number()
      .meta({ description: 'Clock seconds per second of wall-clock time; 0 on a manual clock.' }),
  })
  .meta({ id: 'Clock', example: { mode: 'real', now: 1790000000000, speed: 1 } })

export const client = z
  .strictObject({
    clientId: z.string(),
    apiSecret: z.string(),
    accessToken: z.string().meta({ description: 'Does not expire automatically.' }),
    webhookSecret: z.string().meta({
      description:
        '`whsec_` followed by base64, the format of Standard Webhooks, or as `webhook.signature` reads it.',
    }),
    previousWebhookSecret: z
      .strictObject({
        secret: z.string(),
        validUntil: moment.meta({ description: 'Until then, webhooks are signed with it too.' }),
      })
      .optional()
      .meta({ description: 'The secret before the last rotation; left out if there was none.' }),
    webhookUrl: z.string().nullable(),
    webhookPaused: z.literal(true).optional().meta({
      description:
        'The endpoint answered 410, or failed too often in a row: webhooks are paused until the URL is set again.',
    }),
    pausedAfter: z.int().optional().meta({
      description: 'How many failed attempts in a row paused the webhooks; left out after a 410.',
    }),
    failedInARow: z.int().optional().meta({
      description:
        'How many attempts have failed in a row; left out for none, and without `webhook.disableAfter`.',
    }),
    holds: z
      .array(where)
      .optional()
      .meta({ description: 'Selects the deliveries on hold; left out if there are none.' }),
    defaultScenario: z.string(),
    clock: clockReading,
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Its own settings by dotted name; they override the common ones.' }),
  })
  .meta({
    id: 'Client',
    description: 'A merchant account with its credentials, its webhook URL, and its own isolated sandbox.',
    example: {
      clientId: 'demo-client',
      apiSecret: 'demo-secret',
      accessToken: 'demo-token',
      webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
      webhookUrl: null,
      defaultScenario: 'happy',
      clock: { mode: 'real', now: 1790000000000, speed: 1 },
      settings: {},
    },
  })
