import * as z from 'zod'
import { webhookUrl } from '../../domain/text/webhook-url.ts'
import * as field from './fields.ts'

export const checkoutExample = {
  currencyId: 'usd_us',
  fiatAmount: '10.00',
  email: 'a@example.com',
  requestId: 'r1',
  clientId: 'demo-client',
}

export const subscriptionExample = { ...checkoutExample, requestId: 's1', interval: 'MONTHLY' }

/** The required fields of every create call. */
const everyOrder = {
  currencyId: field.requiredText.meta({ description: 'The client gets it at onboarding.' }),
  fiatAmount: field.fiatAmount.meta({
    description: 'The amount to pay, as text: greater than zero, with at most two decimals.',
  }),
  email: field.email.meta({ description: 'Identifies the user if there is no `userId`.' }),
  requestId: field.id.meta({
    description: 'Chosen by the client, and unique; events and lookups contain it.',
  }),
  clientId: field.id.meta({ description: 'The client of the access token.' }),
}

/** The optional fields of every create call. */
const anyOrder = {
  paymentMethodId: field.optional(field.text).meta({ description: 'The client gets it at onboarding.' }),
  userId: field.optional(field.uuid).meta({ description: 'A UUID, in upper or lower case.' }),
  mode: field.optional(field.mode).meta({
    description: '`returnUrl` asks for the URL of the payment page, `returnAppUrl` for the URL of an app.',
  }),
  targetApp: field
    .optional(field.text)
    .meta({ description: 'Required with `mode: returnAppUrl`. At most 100 characters.' }),
  requestDescription: field.optional(field.text).meta({
    description: 'The purpose of the payment. Required for some currencies (setting `currencies.catalog`).',
  }),
}

/** Body of a checkout create call (R17-R48). Unknown fields are ignored (N29). */
export const checkoutRequest = z
  .object({
    ...everyOrder,
    paymentMethodId: anyOrder.paymentMethodId,
    userId: anyOrder.userId,
    userMessage: field.optional(field.text).meta({ description: 'A short name of the product.' }),
    firstName: field.optional(field.personName).meta({ description: 'At most 50 characters.' }),
    lastName: field.optional(field.personName).meta({ description: 'At most 50 characters.' }),
    phoneNumber: field.optional(field.phoneNumber).meta({ description: 'E.164.' }),
    mode: anyOrder.mode,
    targetApp: anyOrder.targetApp,
    deviceContext: field.deviceContext.optional().meta({ description: 'The payer’s mobile device.' }),
    pixKey: field.optional(field.text).meta({ description: 'The payer’s key for instant payments.' }),
    intlBankAccount: field.optional(field.text).meta({ description: 'The payer’s IBAN.' }),
    bankAccount: field.optional(field.text).meta({ description: 'The payer’s bank account number.' }),
    docType: field.optional(field.text).meta({ description: 'The type of the payer’s identity document.' }),
    docId: field.optional(field.text).meta({ description: 'The number of that document.' }),
    callbackUrl: field
      .optional(field.callbackUrl)
      .meta({ description: 'The browser returns to this URL after the payment.' }),
    lang: field.optional(field.lang).meta({ description: 'Two letters of ISO 639-1, in lower case.' }),
    requestDescription: anyOrder.requestDescription,
    billingData: field.billingData
      .optional()
      .meta({ description: 'Required for some currencies (setting `currencies.catalog`).' }),
    metadata: field.metadata
      .optional()
      .meta({ description: 'The crypto lookup returns it, character for character.' }),
  })
  .meta({ id: 'CheckoutRequest', example: checkoutExample })

/** Body of a subscription create call (R60-R67, N24). */
export const subscriptionRequest = z
  .object({
    ...everyOrder,
    interval: field.requiredText.meta({
      description: '`MONTHLY`, or another interval in the setting `subscription.intervals`.',
    }),
    trialPeriodDays: field
      .optional(field.trialPeriodDays)
      .meta({ description: 'A number of days, as text; at most 365.' }),
    paymentMethodId: anyOrder.paymentMethodId,
    userId: anyOrder.userId,
    requestDescription: anyOrder.requestDescription,
    mode: anyOrder.mode,
    targetApp: anyOrder.targetApp,
  })
  .meta({ id: 'SubscriptionRequest', example: subscriptionExample })

export type CheckoutRequest = z.output<typeof checkoutRequest>
export type SubscriptionRequest = z.output<typeof subscriptionRequest>

/** Query of the three lookups (R97). */
export const lookupQuery = z.object({
  requestId: field.id.meta({ description: 'The requestId of the orders.', example: 'r1' }),
  clientId: field.id.meta({
    description: 'The client that the access token belongs to.',
    example: 'demo-client',
  }),
})

/** Body of a webhook simulation: all fields but `errorCode` are required (N51). */
export const simulateRequest = z
  .object({
    requestId: field.id.meta({ description: 'The requestId that the webhook carries.' }),
    clientId: field.id.meta({ description: 'The client that the access token belongs to.' }),
    orderId: field.requiredText.meta({ description: 'The orderId that the webhook carries.' }),
    orderStatus: field.requiredText.meta({ description: 'The status that the webhook reports.' }),
    orderType: field.requiredText.meta({
      description: '`CHECKOUT`, `PAYOUT`, or the value of the setting `orders.cryptoPayinType`.',
    }),
    eventType: field.requiredText.meta({ description: 'The kind of event that the webhook reports.' }),
    errorCode: field.optional(field.text).meta({ description: 'The error code that the webhook carries.' }),
  })
  .meta({
    id: 'SimulatedWebhook',
    example: {
      requestId: 'r1',
      clientId: 'demo-client',
      orderId: 'order-1',
      orderStatus: 'COMPLETED',
      orderType: 'CHECKOUT',
      eventType: 'service-sdk-transaction-status',
    },
  })

/** Body of an update of the webhook URL (R107, N49). */
export const webhookUrlRequest = z
  .object({ webhookUrl: webhookUrl.meta({ description: 'The address that webhooks are sent to.' }) })
  .meta({ id: 'WebhookUrl', example: { webhookUrl: 'http://127.0.0.1:4601/' } })
