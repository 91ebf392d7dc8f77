import { buildEvidence, type Observed } from '../../src/learn/evidence/build-evidence.ts'
import type { Evidence, Secrets } from '../../src/learn/evidence/evidence.ts'
import type { Exchange } from '../../src/learn/traffic/exchange.ts'

/** When the captures of these tests begin. */
export const start = Date.UTC(2026, 2, 1, 12)

/** An exchange of a capture; what is left out is usual. */
function exchange(fields: Partial<Exchange>): Exchange {
  return {
    source: { file: 'capture.har', place: 'entry 1' },
    ...{ at: start, ms: 40, method: 'POST', origin: 'https://api.example.test' },
    ...{ path: '/v1/client/checkout/create-order', query: new URLSearchParams() },
    headers: { 'access-token': 'access-token-of-shop' },
    ...{ body: null, isExact: true, status: 200, responseHeaders: {}, response: null, isAnswered: true },
    ...fields,
  }
}

export interface Seen {
  readonly requestId?: string
  readonly clientId?: string
  readonly at?: number
  readonly ms?: number
}

/** A create call; the times count from the start. */
export function created(
  { requestId = 'r1', clientId = 'shop', at = 0, ms = 40 }: Seen,
  request: object = {},
  answer: Partial<Exchange> = {},
): Observed {
  const body = {
    requestId,
    clientId,
    fiatAmount: '10.00',
    currencyId: 'usd_us',
    email: 'a@b.test',
    ...request,
  }
  const response = { requestId, token: `payment-token-${requestId}`, status: 'CREATED' }
  const made = { at: start + at, ms, body: JSON.stringify(body), response: JSON.stringify(response) }
  return { exchange: exchange({ ...made, ...answer }), direction: 'call' }
}

/** A fiat lookup; the times count from the start. */
export function lookedUp(
  { requestId = 'r1', clientId = 'shop', at = 0 }: Seen,
  record: object | null,
  operation = 'orders',
): Observed {
  const usual = { requestId, clientId, orderId: `order-of-${requestId}`, orderType: 'CHECKOUT' }
  const data = record === null ? [] : [{ ...usual, ...record }]
  const call = {
    ...{ at: start + at, method: 'GET', path: `/v1/client/${operation}` },
    query: new URLSearchParams({ requestId, clientId }),
    response: JSON.stringify({ data }),
  }
  return { exchange: exchange(call), direction: 'call' }
}

/** An attempt of a webhook; the times count from the start. */
export function webhook(
  { requestId = 'r1', clientId = 'shop', at = 0 }: Seen,
  orderStatus: string,
  { id = `${requestId}-${orderStatus}`, ...fields }: Partial<Exchange> & { id?: string } = {},
): Observed {
  const body = {
    ...{ requestId, clientId, orderId: `order-of-${requestId}`, orderStatus, orderType: 'CHECKOUT' },
    eventType: 'service-sdk-transaction-status',
  }
  const sent = {
    ...{ at: start + at, ms: 20, origin: 'https://shop.example.test', path: '/hooks', response: '' },
    headers: { 'webhook-id': id, 'webhook-signature': 'v1,c2lnbmF0dXJlLW9mLWEtd2ViaG9vaw==' },
    body: JSON.stringify(body),
  }
  return { exchange: exchange({ ...sent, ...fields }), direction: 'webhook' }
}

export const evidenceOf = (
  observed: readonly Observed[],
  secrets: Secrets = { apiSecret: null, webhookSecret: null },
): Evidence => buildEvidence(observed, secrets).evidence
