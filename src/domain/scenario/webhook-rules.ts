import { z } from 'zod'
import { duration } from '../duration.ts'

/** How the webhooks of an order leave. Rules that name a status are about that one only. */
export interface WebhookRule {
  /** The `orderStatus` it is about; null for every webhook of the order. */
  readonly of: string | null
  readonly drop: boolean
  readonly delayMs: number
}

/** A webhook beside those that tell of changes. */
export interface ExtraWebhook {
  /** The `orderStatus` it claims; null for the order's own. */
  readonly status: string | null
}

/** A rule as a file writes it. */
export const webhookRuleText = z
  .strictObject({
    of: z.string().min(1).max(64).optional(),
    drop: z.boolean().default(false),
    delay: duration.optional(),
  })
  .transform(({ of, drop, delay }): WebhookRule => ({ of: of ?? null, drop, delayMs: delay ?? 0 }))

/** An extra webhook as a step writes it. */
export const extraWebhookText = z
  .strictObject({ status: z.string().min(1).max(64).optional() })
  .transform(({ status }): ExtraWebhook => ({ status: status ?? null }))
