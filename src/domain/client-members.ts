import * as z from 'zod'
import { headerText, webhookSecret } from './credentials.ts'
import { webhookUrl } from './webhook-url.ts'

/** What may be given about a client, at its making and later. */
export const clientMembers = {
  apiSecret: z.string().min(1).max(1000).optional().meta({ description: 'Signs create calls.' }),
  accessToken: headerText.optional().meta({ description: 'Never expires.' }),
  webhookSecret: webhookSecret.optional().meta({ description: 'Signs webhooks: `whsec_` and base64.' }),
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
