import { createHmac, createSecretKey, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { type CheckoutRequest, checkoutRequest } from '../../src/api/contract/create-requests.ts'

const tokens = new Map([['demo-token', 'demo-client']])
const secret = createSecretKey(Buffer.from('demo-secret'))

/** Whether an `access-token` is that of a client. */
export const isOf = (token: string | undefined, clientId: string | undefined): boolean =>
  tokens.get(token ?? '') === clientId

/** The body of a create call, checked. */
export const checked = async (c: Context): Promise<CheckoutRequest> =>
  checkoutRequest.parse(await c.req.json())

/** The body of a client that is known by its token and its signature. */
export async function verified(c: Context): Promise<CheckoutRequest> {
  const request = await checked(c)
  const signed = `fiatAmount=${request.fiatAmount}&requestId=${request.requestId}`
  const expected = createHmac('sha256', secret).update(signed).digest('base64')
  const given = Buffer.from(c.req.header('signature') ?? '')
  const isKnown = isOf(c.req.header('access-token'), request.clientId)
  if (!isKnown || !timingSafeEqual(given, Buffer.from(expected))) throw new Error('401')
  return request
}

/** The answer to a create call.
 *  @param origin of the payment page */
export const created = (request: CheckoutRequest, token: string, nowMs: number, origin: string) => ({
  requestId: request.requestId,
  token,
  status: 'CREATED',
  offerInfoData: {
    userAddress: request.email,
    clientId: request.clientId,
    selectedPaymentMethod: request.paymentMethodId,
    totalFiatAmount: request.fiatAmount,
    expiryTs: new Date(nowMs + 3_600_000).toISOString(),
    currencyId: request.currencyId,
    type: 'BUY',
  },
  redirectUrl: `${origin}/pay/${token}`,
})

/** In the order of time, so that new entries of an index stand side by side. */
export function uuid(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
