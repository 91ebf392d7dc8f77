import * as z from 'zod'
import { headerText, webhookSecret } from './credentials.ts'
import { webhookUrl } from './webhook-url.ts'

/** What may be given about a client, at its making and later. */
export const clientMembers = {
  apiSecret: z.string().min(1).max(1000).optional(),
  accessToken: headerText.optional(),
  webhookSecret: webhookSecret.optional(),
  webhookUrl: webhookUrl.nullable().optional(),
  defaultScenario: z.string().min(1).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
}
