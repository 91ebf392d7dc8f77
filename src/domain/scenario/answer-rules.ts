import { z } from 'zod'

/** The operations that a fault can be about, as the journal calls them; `create-order` stands for both creates. */
const faultOperations = [
  'create-checkout-order',
  'create-subscription-order',
  'create-order',
  'crypto-orders',
  'orders',
  'fiat-refunds',
  'simulate-webhook',
  'webhook-url',
  'access-token',
] as const

/** How the service answers some calls about an order. */
export interface AnswerRule {
  readonly on: readonly (typeof faultOperations)[number][]
  /** Before all checks, after N18's checks with nothing stored, or when all is stored. */
  readonly when: 'unchecked' | 'before' | 'stored'
  readonly effect: { readonly status: number }
  /** How often; null for always. */
  readonly times: number | null
}

const operation = z.enum(faultOperations)

/** A rule as a file writes it. */
export const answerRuleText = z
  .strictObject({
    on: z.union([operation.transform((one) => [one]), z.array(operation).min(1)]),
    when: z.enum(['unchecked', 'before', 'stored']).default('before'),
    effect: z.strictObject({ status: z.int().min(200).max(599) }),
    times: z.int().min(1).optional(),
  })
  .transform(({ times, ...rule }): AnswerRule => ({ ...rule, times: times ?? null }))
