import { z } from 'zod'
import * as field from './fields.ts'

/** Body of the checkout create call (R17-R48). Unknown members are ignored (N29). */
export const checkoutRequest = z.object({
  currencyId: field.requiredText,
  fiatAmount: field.fiatAmount,
  email: field.email,
  requestId: field.requiredText,
  clientId: field.requiredText,
  paymentMethodId: field.optional(field.text),
  userId: field.optional(field.uuid),
  userMessage: field.optional(field.text),
  firstName: field.optional(field.personName),
  lastName: field.optional(field.personName),
  phoneNumber: field.optional(field.phoneNumber),
  mode: field.optional(field.mode),
  targetApp: field.optional(field.text),
  deviceContext: field.deviceContext.optional(),
  pixKey: field.optional(field.text),
  intlBankAccount: field.optional(field.text),
  bankAccount: field.optional(field.text),
  docType: field.optional(field.text),
  docId: field.optional(field.text),
  callbackUrl: field.optional(field.callbackUrl),
  lang: field.optional(field.lang),
  requestDescription: field.optional(field.text),
  billingData: field.billingData.optional(),
  metadata: field.metadata.optional(),
})

/** Body of the subscription create call (R60-R67, N24). */
export const subscriptionRequest = z.object({
  currencyId: field.requiredText,
  fiatAmount: field.fiatAmount,
  email: field.email,
  requestId: field.requiredText,
  clientId: field.requiredText,
  interval: field.requiredText,
  trialPeriodDays: field.optional(field.trialPeriodDays),
  paymentMethodId: field.optional(field.text),
  userId: field.optional(field.uuid),
  requestDescription: field.optional(field.text),
  mode: field.optional(field.mode),
  targetApp: field.optional(field.text),
})

export type CheckoutRequest = z.output<typeof checkoutRequest>
export type SubscriptionRequest = z.output<typeof subscriptionRequest>
