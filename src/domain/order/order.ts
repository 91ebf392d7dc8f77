import * as z from 'zod'
import { amount, at, count, id, offset, text } from '../text/document-values.ts'
import { nestsDeeper } from '../text/json-text.ts'
import type { Plain } from '../text/objects.ts'

export const orderKinds = ['checkout', 'subscription', 'payout', 'crypto-payin'] as const
export type OrderKind = (typeof orderKinds)[number]

/** The lookups of the API that a scenario can count. */
export const lookupNames = ['orders', 'crypto-orders', 'fiat-refunds'] as const
export type LookupName = (typeof lookupNames)[number]

// The schemas below are the only list of an order's fields; the types follow from them. Only snapshots are validated by
// them.

const errorReason = z.strictObject({ errorCode: text, errorDesc: text })

const orderRequest = z.strictObject({
  paymentMethodId: text.optional(),
  userId: text.optional(),
  userMessage: text.optional(),
  firstName: text.optional(),
  lastName: text.optional(),
  phoneNumber: text.optional(),
  mode: z.enum(['returnUrl', 'returnAppUrl']).optional(),
  targetApp: text.optional(),
  deviceContext: z.strictObject({ deviceOS: z.enum(['ANDROID', 'IOS']).optional() }).optional(),
  pixKey: text.optional(),
  intlBankAccount: text.optional(),
  bankAccount: text.optional(),
  docType: text.optional(),
  docId: text.optional(),
  callbackUrl: text.optional(),
  lang: text.optional(),
  requestDescription: text.optional(),
  billingData: z.record(text, text.optional()).optional(),
  interval: text.optional(),
  trialPeriodDays: text.optional().describe('A number of days, exactly as it was sent (N27).'),
})

/** Text fields of an order that fixtures and `POST /orders` may set too, with their meaning there. */
export const writtenTexts = {
  paymentMethodId: 'As in a create call.',
  userId: 'The id of the user in your application.',
  userMessage: 'A short name of the purchase.',
  requestDescription: 'The purpose of the payment.',
  callbackUrl: 'Where the payment page sends the payer afterwards.',
  targetApp: 'With `returnAppUrl`: the app to open.',
  lang: 'The language of the payment page.',
} as const satisfies { readonly [Name in keyof z.output<typeof orderRequest>]?: string }

const scenarioChoice = z.strictObject({
  id: text,
  why: text.describe('The selector that chose it, in words: `default`, `next`, `e-mail tag`.'),
  version: id.describe(
    'Hash of the scenario when the order began, so that editing a file does not disturb orders in progress.',
  ),
})

export const webhookEvent = z.strictObject({
  requestId: text,
  clientId: text,
  orderId: text,
  orderStatus: text,
  orderType: text,
  eventType: text,
  errorCode: text.optional(),
})

export const news = z.strictObject({
  event: webhookEvent,
  at: at.describe('When it happened.'),
  refund: z
    .strictObject({ refundId: text, fiatAmount: amount, status: text })
    .optional()
    .describe('The refund that it reports.'),
})

const turns = z.strictObject({
  told: z
    .record(text, at)
    .describe('Every `orderStatus` that was sent, and when the last webhook of it is due.'),
  waiting: z.array(news).describe('Events that wait for another one to be sent, oldest first.'),
})

const orderTerms = z.strictObject({
  onExpiry: z.enum(['keep', 'fail', 'abandon']).describe('N12.'),
  trialMs: offset.optional().describe('The trial that the scenario grants because the request names none.'),
  updatedTsSkewMs: offset.optional().describe('How far its `updatedTs` is ahead of the clock.'),
  turns: turns.optional().describe('The state of a scenario that reorders webhooks.'),
})

const refund = z.strictObject({
  refundId: text,
  fiatAmount: amount,
  status: text.describe('`REFUND_INITIATED`, or any other word that a scenario writes (R82).'),
  at,
})

const refundFailure = errorReason.extend({ at })

const cryptoLeg = z.strictObject({
  shown: z.boolean().nullable().describe('Whether the crypto lookup shows it.'),
  status: text.nullable(),
})

const subscription = z.strictObject({
  anchor: at.nullable().describe('The date of its first charge; null until the payer has authorised it.'),
  second: at.nullable().describe('The date of its second charge, an interval later.'),
  next: z.int().describe('The number of the next charge.'),
  nextAt: at.nullable().describe('When the next charge is due; null if there is none.'),
  cancelled: z.boolean(),
})

const metadata = text
  .refine(isJsonObject, 'must be the text of a JSON object')
  .nullable()
  .describe('The JSON text of `metadata` as it was sent (N69).')

/** The fields in which a record of a lookup can change. */
const recordFields = {
  orderStatus: text,
  paymentStatus: text,
  settlementStatus: text,
  errorReason: errorReason.nullable(),
  receivedAmount: amount.nullable(),
  txnHash: text.nullable(),
  refunds: z.array(refund).nullable().describe('Oldest first; null without any.'),
  refundError: refundFailure
    .nullable()
    .describe('The failure that the refund lookup shows beside its list (R81).'),
  crypto: cryptoLeg
    .nullable()
    .describe('Where the crypto leg does not follow the order; null where it does.'),
}

const updatedAt = at.describe('Moves at each change and never back (N64e).')
const paidAt = at.nullable().describe("When the payer's money came.")

const replaced = z.strictObject({ ...recordFields, metadata, updatedAt, paidAt }).partial()

/** The names of the fields in which a record of a lookup can change; `paidAt` can make one appear (N57). */
export const recordNames = replaced.keyof().options

const lookups = z.partialRecord(z.enum(lookupNames), count)

export const order = z.strictObject({
  orderId: id,
  requestId: id,
  clientId: id,
  kind: z.enum(orderKinds),
  token: id.describe('The key to the payment page, which the client-side SDK gets (N58).'),
  charge: z
    .int()
    .describe('Which order of its requestId this is: from 1, one per charge of a subscription (N64j).'),
  fiatAmount: amount,
  currencyId: text,
  email: text,
  request: orderRequest.describe('The accepted fields of a create request that pages and lookups show.'),
  metadata,
  cryptoCurId: text,
  cryptoAmount: amount,

  ...recordFields,
  replaced: replaced
    .nullable()
    .describe(
      'What its last change of a status or refund, and the changes since, replaced; null before any.',
    ),

  createdAt: at,
  updatedAt,
  expiresAt: at,
  paidAt,

  terms: orderTerms.describe('What the settings and the scenario said when the order began.'),
  scenario: scenarioChoice,
  nextStep: count.describe("Index of the scenario's next step in the order's plan."),
  stepAt: at.describe('When the step before was due; the offset of the next step counts from here.'),
  shiftMs: offset.describe(
    'How far the coming steps have moved against the plan, because the payer came early or late.',
  ),
  waitsForPayer: z.boolean().describe('The next step is the payment, and the payer makes it (N65).'),
  lookups: lookups
    .nullable()
    .describe('Its lookups so far, by name; null where its scenario does not count them.'),
  subscription: subscription
    .nullable()
    .describe("null for everything but the order of a subscription's first charge."),
  nextDueAt: at.min(0).nullable().describe('When the next step is due; null when none comes.'),

  events: count.describe("The number of its events so far; numbers the order's deliveries."),
  version: z.int().describe('Raised by every commit; a decision made on an older one is stale.'),
})

export const historyEntry = z.strictObject({
  at,
  what: text.describe('`created`, `order`, `payment`, `settlement`, ...'),
  from: text.optional().describe('The status before, where a status changed.'),
  to: text.optional().describe('The status after.'),
  step: z.int().optional().describe("Index of the scenario's step that did it."),
})

/** The maximum nesting of JSON, as for request bodies. */
const mostLevels = 64

function isJsonObject(value: string): boolean {
  if (nestsDeeper(value, mostLevels)) return false
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}

/** An order: its fiat and crypto legs, and its position in its scenario. */
export type Order = Plain<typeof order>

/** The fields of a create call that only pages and presenters read again. */
export type OrderRequest = Plain<typeof orderRequest>

/** The scenario of an order, and why it was chosen. */
export type ScenarioChoice = Plain<typeof scenarioChoice>

/** The settings and terms that applied when the order started, and the state of its scenario; stored as JSON. */
export type OrderTerms = Plain<typeof orderTerms>

/** The webhooks of an order that were sent and that wait, if its scenario reorders webhooks. */
export type Turns = Plain<typeof turns>

/** The reason why an order failed (R74). */
export type ErrorReason = Plain<typeof errorReason>

export type Refund = Plain<typeof refund>

/** The error of a failed refund, with its time. */
export type RefundFailure = Plain<typeof refundFailure>

/** The state of a subscription, stored with the order of its first charge (N64j). */
export type Subscription = Plain<typeof subscription>

/** The counts of lookups of an order, by kind. */
export type Lookups = Plain<typeof lookups>

/** Former values of the fields in which an order's records can change, for stale lookups. */
export type Replaced = Plain<typeof replaced>

/** An event in the history of an order. */
export type HistoryEntry = Plain<typeof historyEntry>
