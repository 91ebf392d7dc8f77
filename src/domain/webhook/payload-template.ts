import * as z from 'zod'
import { jsonTemplate, type Placeholders, textTemplate } from '../text/template.ts'

/** The values that are the same in every attempt. */
const values = {
  requestId: 'text',
  clientId: 'text',
  orderId: 'text',
  orderStatus: 'text',
  orderType: 'text',
  eventType: 'text',
  errorCode: 'text',
  errorMessage: 'text',
  webhookId: 'text',
  deliveryId: 'text',
  sequence: 'number',
  eventTime: 'time',
  eventTimestamp: 'number',
  refundId: 'text',
  refundAmount: 'amount',
  refundStatus: 'text',
  statusOfOrder: 'text',
  fiatAmount: 'amount',
  currencyId: 'text',
  cryptoAmount: 'amount',
  cryptoCurId: 'text',
  receivedAmount: 'amount',
  txnHash: 'text',
  paymentStatus: 'text',
  settlementStatus: 'text',
  email: 'text',
  userId: 'text',
  firstName: 'text',
  lastName: 'text',
  phoneNumber: 'text',
  userMessage: 'text',
  requestDescription: 'text',
  paymentMethodId: 'text',
  selectedPaymentMethod: 'text',
  interval: 'text',
  charge: 'number',
  metadata: 'json',
  billingData: 'json',
  createdTime: 'time',
  updatedTime: 'time',
  expiryTime: 'time',
  payableUntil: 'time',
  paidTime: 'time',
} as const satisfies Placeholders['values']

/** The values that a webhook's body and headers can name. */
export const webhookPlaceholders = {
  values: { ...values, attempt: 'number', jwt: 'json' },
} as const satisfies Placeholders

/** The name of a value that a webhook's body and headers can name. */
export type WebhookValue = keyof typeof webhookPlaceholders.values

/** Schema of a user's webhook body: JSON, or its text, with `${placeholders}` in its texts and names. */
export const payloadTemplate = jsonTemplate(webhookPlaceholders)

/** Headers of a single connection and of the body's transmission, which only HTTP clients and servers set. */
const ofHttp: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])

/** Schema of headers with placeholders, by name. The names are read in lower case. */
export const headerTemplates = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be a valid header name')
      .refine((name) => !ofHttp.has(name.toLowerCase()), 'is a header that HTTP itself sets'),
    textTemplate(webhookPlaceholders).refine((text) => /^[\t\x20-\x7e]*$/.test(text), {
      error: 'must have printable ASCII characters only',
    }),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    for (const [index, name] of names.entries()) {
      const before = names.findIndex((other) => other.toLowerCase() === name.toLowerCase())
      if (before < index)
        context.addIssue({ code: 'custom', path: [name], message: `is the same header as ${names[before]}` })
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text])),
  )
