import * as z from 'zod'
import { orList } from '../issue-words.ts'
import { isMapping } from '../mapping.ts'
import { finalOrderStatuses, refundStatuses } from '../statuses.ts'
import { webhookUrl } from '../webhook-url.ts'
import { lookupNames, payOutcomes } from './scenario.ts'
import {
  byteSize,
  duration,
  errorCode,
  moment,
  scriptedAmount,
  signedDuration,
  statusWord,
} from './values.ts'
import { extraWebhookText } from './webhook-rule-text.ts'

/** What a file says of the crypto leg. */
export const cryptoText = z
  .strictObject({
    shown: z.boolean().optional().meta({ description: 'Whether the crypto lookup shows it.' }),
    order: statusWord.optional().meta({ description: 'The orderStatus that the crypto lookup shows.' }),
  })
  .refine((crypto) => Object.keys(crypto).length > 0, 'needs `shown` or `order`')
  .meta({ minProperties: 1 })

/** Metadata of any content, and how long its text is to be. */
const metadataText = z
  .custom<Readonly<Record<string, unknown>>>(isMapping, 'expected an object')
  .meta({ type: 'object' })

const clientText = z
  .strictObject({
    tokens: z
      .literal('expired')
      .optional()
      .meta({ description: 'Every access token is refused until the client gets a new one.' }),
    refuseTokensFor: duration
      .optional()
      .meta({ description: 'How long every access token is refused, new ones too.' }),
    tokenLifetime: z
      .union([z.literal('usual'), duration.refine((ms) => ms >= 1000, 'must be 1s or longer')])
      .optional()
      .meta({ description: 'How long tokens live that it gets from now on; `usual` for as long as before.' }),
    webhookUrl: z
      .union([
        webhookUrl.nullable(),
        z.strictObject({
          addQuery: z.string().min(1).meta({ description: 'Added to the query of the URL it has.' }),
        }),
      ])
      .optional()
      .meta({
        description: 'A new webhook URL; null for none; `{ addQuery: "moved=1" }` for the old one with that.',
      }),
  })
  .refine((client) => Object.keys(client).length > 0, 'is empty; say what happens to the client')
  .meta({ minProperties: 1 })

const refundText = z.union([
  scriptedAmount.transform((amount) => ({ amount, status: 'REFUND_INITIATED' })),
  z.strictObject({
    amount: scriptedAmount.meta({
      description: 'How much: an amount, a part of the order’s amount, or all.',
    }),
    status: statusWord
      .default('REFUND_INITIATED')
      .meta({ description: 'The status that the refund begins with.' }),
  }),
])

const lookupText = z.union([
  z
    .int()
    .min(1)
    .transform((n) => ({ n, of: null })),
  z.strictObject({
    n: z.int().min(1).meta({ description: 'Which lookup of the order, from 1.' }),
    of: z.enum(lookupNames).meta({ description: 'Only lookups of this kind count.' }),
  }),
])

/** A step of the timeline as a file writes it. What its members mean together is in `compile-steps.ts`. */
export const stepText = z.strictObject({
  at: moment.optional().meta({
    description:
      'When: a time since the creation (0s, 2s, 26h), a date of the order (expiry, trialEnd, interval), or payer.',
  }),
  after: duration.optional().meta({ description: 'When, counted from the step before.' }),
  lookup: lookupText
    .optional()
    .meta({ description: 'When: with the n-th lookup of the order, which shows the change already.' }),
  every: z
    .literal('interval')
    .optional()
    .meta({ description: 'The charges of a subscription, one each interval.' }),
  from: z.int().min(1).optional().meta({ description: 'With `every`: the first charge; 1 if left out.' }),
  times: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'With `every`: how many; until cancelled if left out.' }),
  charge: z.int().min(1).optional().meta({ description: 'How this one charge ends; overrides `every`.' }),
  pay: z.enum(payOutcomes).optional().meta({ description: 'What the payer does.' }),
  order: statusWord.optional().meta({ description: 'The order gets this status.' }),
  error: errorCode.optional().meta({ description: 'The errorCode of a failure; 9004 if left out.' }),
  payment: statusWord.optional().meta({ description: 'The paymentStatus of the crypto lookup.' }),
  settlement: statusWord.optional().meta({ description: 'The settlementStatus of the crypto lookup.' }),
  received: scriptedAmount
    .optional()
    .meta({ description: 'What came in: an amount, or a part of the cryptoAmount.' }),
  crypto: cryptoText.optional().meta({ description: 'The crypto leg, where it does not follow the order.' }),
  refund: refundText
    .optional()
    .meta({ description: 'A refund begins: an amount, a part of the order’s amount, or all.' }),
  refundStatus: statusWord.optional().meta({
    description: 'The latest refund gets this status. To make it fail, use refundError.',
    examples: refundStatuses,
  }),
  refundError: z
    .union([
      errorCode,
      z.strictObject({
        errorCode: z.string().meta({ description: 'May be empty.' }),
        errorDesc: z.string().meta({ description: 'May be empty.' }),
      }),
    ])
    .optional()
    .meta({
      description:
        'A refund fails: this is the errorReason at the top of the refund lookup. A code, or both members.',
    }),
  metadata: metadataText.optional().meta({ description: 'What the crypto lookup shows as metadata.' }),
  cancel: z.literal(true).optional().meta({ description: 'The subscription is cancelled.' }),
  client: clientText.optional().meta({ description: 'What happens to the client.' }),
  webhook: extraWebhookText.optional().meta({ description: 'A webhook that tells of no change.' }),
  force: z
    .boolean()
    .optional()
    .meta({
      description: `Allows what is usually a slip: a step that leaves ${orList(finalOrderStatuses)}, a refund before COMPLETED, a status that is nearly a printed one.`,
    }),
})

export type StepText = z.output<typeof stepText>

/** Says what is wrong with a step, or with one member of it. */
export type Tell = (message: string, ...member: string[]) => void

/** What an order is like from the start, as a file writes it. */
export const beginText = z.strictObject({
  crypto: cryptoText.optional().meta({ description: 'The crypto leg, where it does not follow the order.' }),
  updatedTs: signedDuration
    .optional()
    .meta({ description: 'How far updatedTs is ahead of the clock; with a minus, behind it.' }),
  metadata: metadataText.optional().meta({ description: 'Shown instead of the metadata that was sent.' }),
  padMetadata: byteSize.optional().meta({ description: 'Fills the metadata up to this size.' }),
})
