import * as z from 'zod'
import { lookupNames } from '../order/order.ts'
import { finalOrderStatuses, refundStatuses } from '../order/statuses.ts'
import { signedDuration } from '../text/duration-schema.ts'
import { orList } from '../text/issue-words.ts'
import { isMapping } from '../text/objects.ts'
import { webhookUrl } from '../text/webhook-url.ts'
import { payOutcomes } from './scenario.ts'
import { byteSize, duration, errorCode, moment, scriptedAmount, statusWord } from './values.ts'
import { extraWebhookText } from './webhook-rule-text.ts'

/** The schema of the crypto leg, as scenario files write it. */
export const cryptoText = z
  .strictObject({
    shown: z.boolean().optional().meta({ description: 'Whether the crypto lookup returns the order.' }),
    order: statusWord.optional().meta({ description: 'The orderStatus in the crypto lookup.' }),
  })
  .refine((crypto) => Object.keys(crypto).length > 0, 'needs `shown` or `order`')
  .meta({ minProperties: 1 })

/** Metadata of any content, and the wanted length of its text. */
const metadataText = z
  .custom<Readonly<Record<string, unknown>>>(isMapping, 'expected an object')
  .meta({ type: 'object' })

const clientText = z
  .strictObject({
    tokens: z
      .literal('expired')
      .optional()
      .meta({ description: 'Refuses every access token until the client gets a new one.' }),
    refuseTokensFor: duration
      .optional()
      .meta({ description: 'How long every access token is refused, including new ones.' }),
    tokenLifetime: z
      .union([z.literal('usual'), duration.refine((ms) => ms >= 1000, 'must be 1s or longer')])
      .optional()
      .meta({ description: 'How long new tokens live from now on; `usual` for the normal lifetime.' }),
    webhookUrl: z
      .union([
        webhookUrl.nullable(),
        z.strictObject({
          addQuery: z.string().min(1).meta({ description: 'Added to the query of the current URL.' }),
        }),
      ])
      .optional()
      .meta({
        description: 'A new webhook URL; null for none; `{ addQuery: "moved=1" }` to extend the old one.',
      }),
  })
  .refine((client) => Object.keys(client).length > 0, 'is empty; say what happens to the client')
  .meta({ minProperties: 1 })

const refundText = z.union([
  scriptedAmount.transform((amount) => ({ amount, status: 'REFUND_INITIATED' })),
  z.strictObject({
    amount: scriptedAmount.meta({
      description: 'The amount: a number, a part of the order’s amount, or all.',
    }),
    status: statusWord.default('REFUND_INITIATED').meta({ description: 'The first status of the refund.' }),
  }),
])

const lookupText = z.union([
  z
    .int()
    .min(1)
    .transform((n) => ({ n, of: null })),
  z.strictObject({
    n: z.int().min(1).meta({ description: 'Which lookup of the order, counted from 1.' }),
    of: z.enum(lookupNames).meta({ description: 'Counts only lookups of this kind.' }),
  }),
])

/** A step of the timeline as a file writes it. `compile-steps.ts` checks rules across fields. */
export const stepText = z.strictObject({
  at: moment.optional().meta({
    description:
      'When: a time after the creation (0s, 2s, 26h), a date of the order (expiry, trialEnd, interval), or payer.',
  }),
  after: duration.optional().meta({ description: 'When: the time after the previous step.' }),
  lookup: lookupText
    .optional()
    .meta({ description: 'When: at the n-th lookup of the order; its answer already shows the change.' }),
  every: z
    .literal('interval')
    .optional()
    .meta({ description: 'The charges of a subscription, one each interval.' }),
  from: z.int().min(1).optional().meta({ description: 'With `every`: the first charge; 1 if left out.' }),
  times: z.int().min(1).max(1000).optional().meta({
    description: 'With `every`: the number of charges; until the subscription is cancelled if left out.',
  }),
  charge: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The result of this one charge; overrides `every`.' }),
  pay: z.enum(payOutcomes).optional().meta({ description: 'The action of the payer.' }),
  order: statusWord.optional().meta({ description: 'The new status of the order.' }),
  error: errorCode.optional().meta({ description: 'The errorCode of a failure; 9004 if left out.' }),
  payment: statusWord.optional().meta({ description: 'The paymentStatus in the crypto lookup.' }),
  settlement: statusWord.optional().meta({ description: 'The settlementStatus in the crypto lookup.' }),
  received: scriptedAmount
    .optional()
    .meta({ description: 'The received amount: a number, or a part of the cryptoAmount.' }),
  crypto: cryptoText.optional().meta({ description: 'The crypto leg, where it differs from the order.' }),
  refund: refundText
    .optional()
    .meta({ description: 'Starts a refund: an amount, a part of the order’s amount, or all.' }),
  refundStatus: statusWord.optional().meta({
    description: 'The new status of the latest refund. To make it fail, use refundError.',
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
        'Fails a refund: this is the errorReason at the top of the refund lookup. A code, or an object with both fields.',
    }),
  metadata: metadataText.optional().meta({ description: 'The metadata in the crypto lookup.' }),
  cancel: z.literal(true).optional().meta({ description: 'Cancels the subscription.' }),
  client: clientText.optional().meta({ description: 'What happens to the client.' }),
  webhook: extraWebhookText.optional().meta({ description: 'A webhook without a status change.' }),
  force: z
    .boolean()
    .optional()
    .meta({
      description: `Allows probable mistakes: a step that leaves ${orList(finalOrderStatuses)}, a refund before COMPLETED, a status that looks like a documented one.`,
    }),
})

export type StepText = z.output<typeof stepText>

/** Reports a problem of a step, or of one of its fields. */
export type ReportProblem = (message: string, ...member: string[]) => void

/** The initial properties of an order as a file writes them. */
export const beginText = z.strictObject({
  crypto: cryptoText.optional().meta({ description: 'The crypto leg, where it differs from the order.' }),
  updatedTs: signedDuration
    .optional()
    .meta({ description: 'How far updatedTs is ahead of the clock; a negative duration means behind it.' }),
  metadata: metadataText.optional().meta({ description: 'Returned instead of the metadata in the request.' }),
  padMetadata: byteSize.optional().meta({ description: 'Fills the metadata up to this size.' }),
})
