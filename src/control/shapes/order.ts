import * as z from 'zod'
import { orderKinds } from '../../domain/order/order.ts'
import { printedRefundStatuses } from '../../domain/order/statuses.ts'
import { orList, ticked } from '../../domain/text/issue-words.ts'
import { moment, momentOr } from './common.ts'

/** Schema of a person with orders. */
export const user = z
  .strictObject({
    clientId: z.string(),
    userKey: z.string().meta({
      description: 'Identifies the user: the `userId`, or the e-mail if the request has no userId (R29).',
    }),
    email: z.string(),
    userId: z.string().optional(),
    orders: z.int().meta({ description: 'The number of orders of this user.' }),
  })
  .meta({ id: 'User' })

const errorReason = z.strictObject({ errorCode: z.string(), errorDesc: z.string() })

const refund = z.strictObject({
  refundId: z.string(),
  fiatAmount: z.string(),
  status: z.string().meta({
    description: `${orList(printedRefundStatuses.map(ticked))}, or any word in a scenario (R82).`,
  }),
  at: moment,
})

const subscription = z
  .strictObject({
    anchor: momentOr('the date of the first charge; null until the payer has authorised it.'),
    second: momentOr('the date of the second charge.'),
    next: z.int().meta({ description: 'The number of the next charge.' }),
    nextAt: momentOr('null if no charge follows.'),
    cancelled: z.boolean(),
  })
  .meta({ description: 'The state of a subscription; only in the order of its first charge.' })

const step = z.strictObject({
  dueAt: momentOr('null while the time of the payer’s action or of the lookup is not known.'),
  what: z.string(),
  doneAt: momentOr('null while it has not happened.'),
})

const historyEntry = z.strictObject({
  at: moment,
  what: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  step: z.int().optional().meta({ description: 'The index of the scenario step that did it.' }),
})

export const order = z
  .strictObject({
    orderId: z.string(),
    requestId: z.string(),
    clientId: z.string(),
    kind: z.enum(orderKinds),
    token: z
      .string()
      .meta({ description: 'The token for the client-side SDK, and the key to the payment page.' }),
    fiatAmount: z.string(),
    currencyId: z.string(),
    email: z.string(),
    orderStatus: z.string(),
    paymentStatus: z.string(),
    settlementStatus: z.string(),
    errorReason: errorReason.nullable(),
    receivedAmount: z.string().nullable(),
    txnHash: z.string().nullable(),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'As in the request; `{}` if the request has none.' }),
    refunds: z.array(refund),
    refundError: errorReason
      .extend({ at: moment })
      .optional()
      .meta({ description: 'The error of the latest failed refund.' }),
    subscription: subscription.optional(),
    charge: z.int().meta({
      description: 'The position among the orders of its requestId: 1, and higher for later charges.',
    }),
    scenario: z.strictObject({
      id: z.string(),
      why: z.string().meta({ description: 'What selected it: `default`, `next`, an e-mail tag, ...' }),
    }),
    waitsForPayer: z.boolean(),
    createdAt: moment,
    updatedAt: moment,
    expiresAt: moment,
    nextDueAt: momentOr('null if nothing more happens automatically.'),
    timeline: z.array(step),
    history: z.array(historyEntry),
    deliveries: z.array(z.string()).meta({ description: 'The ids of its deliveries.' }),
  })
  .meta({
    id: 'Order',
    description: 'A checkout, a charge of a subscription, a payout or a crypto payin.',
    example: {
      orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
      requestId: 'r1',
      clientId: 'demo-client',
      kind: 'checkout',
      token: '2650538b-f550-470e-8e16-21992b010b1f',
      fiatAmount: '10.00',
      currencyId: 'usd_us',
      email: 'a@example.com',
      orderStatus: 'CREATED',
      paymentStatus: 'CREATED',
      settlementStatus: 'NOT_REQUIRED',
      errorReason: null,
      receivedAmount: null,
      txnHash: null,
      metadata: {},
      refunds: [],
      charge: 1,
      scenario: { id: 'happy', why: 'default' },
      waitsForPayer: false,
      createdAt: 1790000000000,
      updatedAt: 1790000000000,
      expiresAt: 1790000900000,
      nextDueAt: 1790000002000,
      timeline: [{ dueAt: 1790000002000, what: 'order COMPLETED', doneAt: null }],
      history: [{ at: 1790000000000, what: 'created' }],
      deliveries: ['del_1'],
    },
  })
