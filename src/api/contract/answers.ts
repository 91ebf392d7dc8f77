import * as z from 'zod'
import { printedOrderStatuses, printedRefundStatuses } from '../../domain/order/statuses.ts'
import { orList, ticked } from '../../domain/text/issue-words.ts'

/** The answers of the service, as its OpenAPI document describes them. Tests validate real answers against them. */

const text = (description: string) => z.string().meta({ description })

const requestId = text('The requestId of the order.')
const clientId = text('The client that the order belongs to.')
const orderId = text('The id that the service gave the order.')

const moment = z.int().meta({ description: 'Epoch milliseconds.' })

const errorReason = z
  .strictObject({ errorCode: text('The code of the error.'), errorDesc: text('The code in words.') })
  .meta({ id: 'ErrorReason', example: { errorCode: '9005', errorDesc: 'Payment failed' } })

const orderStatus = z.string().meta({
  description: `${orList(printedOrderStatuses.map(ticked))}; a scenario may use others, which a client should handle.`,
  example: 'COMPLETED',
})

const orderType = z.string().meta({
  description:
    '`CHECKOUT`, `PAYOUT`, or the value of the setting `orders.cryptoPayinType` for a crypto payin.',
  example: 'CHECKOUT',
})

/** Answer to the create calls (R49-R59). */
export const createdOrder = z
  .object({
    requestId,
    token: z.string().meta({ description: 'For the client-side SDK.' }),
    status: z.literal('CREATED'),
    offerInfoData: z
      .object({
        userAddress: z.string().meta({ description: 'The e-mail address.' }),
        clientId,
        selectedPaymentMethod: z.string().meta({
          description: '`ALL` if the request has none; see the setting `responses.selectedPaymentMethod`.',
        }),
        totalFiatAmount: text(
          'The `fiatAmount` of the request; see the settings `amounts.echo` and `amounts.fee`.',
        ),
        expiryTs: z.iso.datetime({ offset: true }).meta({
          description:
            'ISO 8601 with an offset; the settings `time.offset` and `time.expiryFraction` define the format.',
        }),
        currencyId: text('The `currencyId` of the request.'),
        type: z.literal('BUY'),
      })
      // The setting `responses.urlField` may put the URL here.
      .catchall(z.unknown())
      .meta({ id: 'OfferInfoData' })
      .optional()
      .meta({
        description: 'Left out for subscriptions with the setting `responses.subscription: compact`.',
      }),
    url: z.string().optional().meta({
      description:
        'With `mode`, the URL of the payment page or of the app. The setting `responses.urlField` can rename or move this field.',
    }),
  })
  .catchall(z.unknown())
  .meta({
    id: 'CreatedOrder',
    example: {
      requestId: 'r1',
      token: '2650538b-f550-470e-8e16-21992b010b1f',
      status: 'CREATED',
      offerInfoData: {
        userAddress: 'a@example.com',
        clientId: 'demo-client',
        selectedPaymentMethod: 'ALL',
        totalFiatAmount: '10.00',
        expiryTs: '2026-04-21T16:15:00.000000+00:00',
        currencyId: 'usd_us',
        type: 'BUY',
      },
    },
  })

/** A record of the fiat lookup. A field with the same name as a field of `Order` takes its value; `presenters.ts`
 *  computes the others. */
export const fiatOrder = z
  .strictObject({
    orderId,
    orderStatus,
    userAddress: text('The e-mail of the payer.'),
    updatedTs: moment,
    partner: text('The payment partner.'),
    orderType,
    requestId,
    clientId,
    exchangeCurId: text('The currency of the order.'),
    exchangeAmount: text('The amount of the order.'),
    paymentMethod: text('The `paymentMethodId` of the request, or `ALL`.'),
    errorReason: errorReason.optional().meta({ description: 'Only with the status FAILED.' }),
  })
  .meta({ id: 'FiatOrder' })

/** Answer to the fiat lookup (R75-R79). */
export const fiatOrders = z
  .strictObject({
    data: z.array(fiatOrder),
  })
  .meta({
    id: 'FiatOrders',
    example: {
      data: [
        {
          orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
          orderStatus: 'COMPLETED',
          userAddress: 'a@example.com',
          updatedTs: 1776787205000,
          partner: 'sandbox-partner',
          orderType: 'CHECKOUT',
          requestId: 'r1',
          clientId: 'demo-client',
          exchangeCurId: 'usd_us',
          exchangeAmount: '10.00',
          paymentMethod: 'ALL',
        },
      ],
    },
  })

/** A record of the crypto lookup, filled like `fiatOrder`. */
export const cryptoOrder = z
  .strictObject({
    orderId,
    orderStatus,
    updatedTs: moment,
    orderType,
    requestId,
    clientId,
    paymentStatus: text('The status of the payment.'),
    receivedAmount: text('The crypto amount that came in so far.').optional(),
    payersEmail: text('The e-mail of the payer.'),
    settlementStatus: text('The status of the settlement.'),
    txnHash: text('The hash of the transaction, once the order is paid.').optional(),
    cryptoCurId: text('The crypto asset.'),
    cryptoAmount: text('The amount of the crypto asset.'),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The metadata in the create request, character for character.' }),
    errorReason: errorReason.optional().meta({ description: 'Only with the status FAILED.' }),
  })
  .meta({ id: 'CryptoOrder' })

/** Answer to the crypto lookup (R68-R74). */
export const cryptoOrders = z
  .strictObject({
    data: z.array(cryptoOrder),
  })
  .meta({
    id: 'CryptoOrders',
    example: {
      data: [
        {
          orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
          orderStatus: 'COMPLETED',
          updatedTs: 1776787205000,
          orderType: 'CHECKOUT',
          requestId: 'r1',
          clientId: 'demo-client',
          paymentStatus: 'COMPLETED',
          receivedAmount: '10.00000000',
          payersEmail: 'a@example.com',
          settlementStatus: 'NOT_REQUIRED',
          txnHash: '0x659d9fecfbfba885424ffb404d258a087d55c020a5b245556a8bb57d2bc0dd12',
          cryptoCurId: 'USDT',
          cryptoAmount: '10.00000000',
        },
      ],
    },
  })

/** Answer to the refund lookup (R80-R84). */
export const refunds = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          requestId,
          refundId: text('The id of the refund.'),
          fiatAmount: text('The amount of the refund.'),
          status: z.string().meta({
            description: `${orList(printedRefundStatuses.map(ticked))}; a scenario may use others.`,
          }),
        })
        .meta({ id: 'Refund' }),
    ),
    errorReason: z
      .union([errorReason, z.strictObject({}), z.null()])
      .optional()
      .meta({
        description:
          'The error of the latest failed refund. Left out if no refund failed; with the setting `refunds.errorReasonWhenNone`, null or `{}` instead.',
      }),
  })
  .meta({
    id: 'Refunds',
    example: {
      data: [
        {
          requestId: 'r1',
          refundId: '019db0c5-2b88-7310-af41-91794cf138fc',
          fiatAmount: '3.50',
          status: 'REFUND_INITIATED',
        },
      ],
    },
  })

export const webhookSimulated = z
  .strictObject({ message: z.literal('Webhook simulated') })
  .meta({ id: 'WebhookSimulated' })

export const webhookUrlUpdated = z
  .strictObject({ message: z.literal('Webhook URL updated') })
  .meta({ id: 'WebhookUrlUpdated' })

export const errorText = z
  .strictObject({ error: z.string() })
  .meta({ id: 'ErrorText', example: { error: 'Client verification failed' } })

/** An error with a code, as create calls answer most errors. */
export const errorWithCode = z
  .strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) })
  .meta({
    id: 'ErrorWithCode',
    example: { error: { code: '7001', message: 'Order already exists for given requestId' } },
  })

/** The fields of a webhook in the format `flat` (N36). */
export const webhookEvent = z
  .strictObject({
    requestId,
    clientId,
    orderId,
    orderStatus,
    orderType,
    eventType: text('The kind of the event.'),
    errorCode: z.string().optional().meta({ description: 'Only with the status FAILED.' }),
  })
  .meta({
    id: 'WebhookEvent',
    example: {
      requestId: 'r1',
      clientId: 'demo-client',
      orderId: '019db0c5-1800-7dc6-a346-c012b4fb8cf6',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
    },
  })
