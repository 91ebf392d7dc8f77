import { createHash, createHmac } from 'node:crypto'
import { diagnoseSignature, type RefusedSignature } from '../../../src/domain/diagnosis/signature.ts'
import { checkoutString, subscriptionString } from '../../../src/domain/webhook/signature.ts'

/** The client that calls. Its secret is the base64 of other bytes, so that decoding it makes a difference. */
export const client = {
  clientId: 'C1',
  apiSecret: 'c2FuZGJveC1zZWNyZXQ=',
  accessToken: 'T1',
  webhookSecret: 'whsec_ZGVtby13ZWJob29r',
}

export const other = { clientId: 'C2', apiSecret: 'another-secret' }

export const checkoutBody = {
  currencyId: 'usd_us',
  fiatAmount: '10.00',
  email: 'a@example.com',
  requestId: 'req-0001',
  clientId: 'C1',
}

const subscriptionBody = {
  ...checkoutBody,
  fiatAmount: '1.00',
  interval: 'MONTHLY',
  trialPeriodDays: '7',
}

/** HMAC-SHA256 in base64. */
export const hmac = (text: string | Buffer, key: string | Buffer = client.apiSecret, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(text).digest('base64')

export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** A refused checkout call; `changes` are laid over its body. */
export function refusedCheckout(
  signature: string | undefined,
  changes: Readonly<Record<string, string>> = {},
  context: Partial<RefusedSignature> = {},
): RefusedSignature {
  const read = { ...checkoutBody, ...changes }
  return {
    kind: 'checkout',
    signature,
    members: read,
    accepted: [checkoutString(read, 'short'), checkoutString(read, 'with-currency')],
    body: JSON.stringify(read),
    read,
    firstValues: {},
    elsewhere: null,
    client,
    others: [other],
    othersCount: 1,
    ...context,
  }
}

/** A refused subscription call. */
export function refusedSubscription(
  signature: string,
  changes: Readonly<Record<string, string>> = {},
): RefusedSignature {
  const read = { ...subscriptionBody, ...changes }
  return {
    ...refusedCheckout(signature),
    kind: 'subscription',
    members: read,
    accepted: [subscriptionString(read)],
    body: JSON.stringify(read),
    read,
  }
}

/** The diagnosis of a checkout with this signature. */
export const diagnosed = (
  signature: string | undefined,
  changes: Readonly<Record<string, string>> = {},
  context: Partial<RefusedSignature> = {},
) => diagnoseSignature(refusedCheckout(signature, changes, context))
