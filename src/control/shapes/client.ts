import * as z from 'zod'
import { moment } from './moments.ts'
import { where } from './where.ts'

/** How a clock goes and what it reads. */
export const clockReading = z
  .strictObject({
    mode: z.enum(['real', 'manual']),
    now: moment,
    speed: z.number().meta({ description: 'Seconds that pass in a second; 0 on a manual clock.' }),
  })
  .meta({ id: 'Clock', example: { mode: 'real', now: 1790000000000, speed: 1 } })

/** A client as the control API shows it. */
export const client = z
  .strictObject({
    clientId: z.string(),
    apiSecret: z.string(),
    accessToken: z.string().meta({ description: 'Never expires by itself.' }),
    webhookSecret: z
      .string()
      .meta({ description: '`whsec_` and base64, as Standard Webhooks writes secrets.' }),
    webhookUrl: z.string().nullable(),
    webhookPaused: z
      .literal(true)
      .optional()
      .meta({ description: 'Its endpoint answered 410: nothing is sent until the URL is set again.' }),
    holds: z
      .array(where)
      .optional()
      .meta({ description: 'Which of its deliveries are kept back; left out when none are.' }),
    defaultScenario: z.string(),
    clock: clockReading,
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Its own settings by dotted name, laid over the common ones.' }),
  })
  .meta({
    id: 'Client',
    description: 'An onboarded application: its credentials, its webhook URL, and the world it lives in.',
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
