import type { Settings } from '../domain/choices/settings.ts'
import { echoed, feeOf, withFees } from '../domain/order/amounts.ts'
import type { ErrorReason, Order, Refund, RefundFailure } from '../domain/order/order.ts'
import { paymentUrl } from '../domain/order/payment-urls.ts'
import { withMember } from '../domain/text/json-text.ts'
import { isMapping, picked } from '../domain/text/objects.ts'
import { isoTimestamp } from '../domain/text/time.ts'
import { orderType } from '../domain/webhook/payload.ts'
import { wordOf } from '../domain/webhook/words.ts'
import { cryptoOrder, fiatOrder } from './contract/answers.ts'

/** Builds the answer to a checkout create call (R49-R59). */
export function presentCreated(order: Order, settings: Settings, origin: string): string {
  const created = {
    requestId: order.requestId,
    token: order.token,
    status: 'CREATED',
    offerInfoData: {
      userAddress: order.email,
      clientId: order.clientId,
      selectedPaymentMethod: methodOf(order, settings),
      totalFiatAmount: withFees(order.fiatAmount, settings),
      expiryTs: isoTimestamp(order.expiresAt, settings['time.expiryFraction'], settings['time.offset']),
      currencyId: order.currencyId,
      type: 'BUY',
    },
  }
  return JSON.stringify(withUrl(withFee(created, order, settings), order, settings, origin))
}

/** The payment method in answers (N4, N9). */
const methodOf = ({ request }: Order, settings: Settings): string =>
  request.paymentMethodId ?? settings['responses.selectedPaymentMethod']

/** Builds the answer to a subscription create call (N26). */
export function presentSubscription(order: Order, settings: Settings, origin: string): string {
  if (settings['responses.subscription'] === 'like-checkout') return presentCreated(order, settings, origin)
  const { requestId, token } = order
  const head = withUrl({ requestId }, order, settings, origin)
  return JSON.stringify({ ...head, token, status: 'CREATED' })
}

const fiatMembers = fiatOrder.keyof().options

/** Builds a record of the fiat lookup (R75, R79). */
export function presentFiatOrder(order: Order, settings: Settings): string {
  const fields = {
    ...order.request,
    ...order,
    orderStatus: wordOf(order.orderStatus, settings['words.orders']),
    userAddress: order.email,
    updatedTs: updatedTs(order),
    partner: settings['responses.partner'],
    orderType: orderType(order.kind, settings),
    exchangeCurId: order.currencyId,
    exchangeAmount: echoed(order.fiatAmount, settings),
    paymentMethod: methodOf(order, settings),
    errorReason: failure(order),
  }
  return JSON.stringify(picked(fields, fiatMembers))
}

const cryptoMembers = cryptoOrder.keyof().options

/** Builds a record of the crypto lookup (R68-R74). `metadata` is exactly the text of the create request (R47, N69). */
export function presentCryptoOrder(order: Order, settings: Settings): string {
  const status = order.crypto?.status ?? order.orderStatus
  // A crypto leg with its own status has a hash once it completes, and an error reason once it fails.
  const own = order.crypto?.status != null
  const fields = {
    ...order.request,
    ...order,
    orderStatus: wordOf(status, settings['words.orders']),
    paymentStatus: wordOf(order.paymentStatus, settings['words.payments']),
    updatedTs: updatedTs(order),
    orderType: orderType(order.kind, settings),
    receivedAmount: order.receivedAmount ?? undefined,
    payersEmail: order.email,
    txnHash: own && status !== 'COMPLETED' ? undefined : (order.txnHash ?? undefined),
    metadata: undefined,
    errorReason: failure(order, status),
  }
  const record = JSON.stringify(picked(fields, cryptoMembers))
  return order.metadata === null ? record : withMember(record, 'metadata', order.metadata)
}

/** Builds the answer to a refund lookup: the refunds of all orders under the requestId, and the latest failure.
 *  Without a failure `errorReason` is left out, unless a setting says otherwise (R80-R84, R96, N62). */
export function presentRefunds(orders: readonly Order[], settings: Settings): string {
  const refunds = orders.flatMap((order) => (order.refunds ?? []).map((refund) => ({ order, refund })))
  // Oldest first (N64c), across the charges of a subscription.
  refunds.sort((a, b) => a.refund.at - b.refund.at)
  const data = refunds.map(({ order, refund }) => refundRecord(order, refund, settings))
  const failure = latestFailure(orders)
  if (failure !== undefined) {
    const { errorCode, errorDesc } = failure
    return JSON.stringify({ data, errorReason: { errorCode, errorDesc } })
  }
  const none = settings['refunds.errorReasonWhenNone']
  if (none === 'omit') return JSON.stringify({ data })
  return JSON.stringify({ data, errorReason: none === 'null' ? null : {} })
}

/** The latest refund failure of some orders. If two have the same time, the one of the later charge counts. */
function latestFailure(orders: readonly Order[]): RefundFailure | undefined {
  const failures = orders.flatMap(({ refundError }) => refundError ?? [])
  return failures.toSorted((a, b) => a.at - b.at).at(-1)
}

/** Builds a record of the refund lookup, with exactly these four fields (R80). */
function refundRecord({ requestId }: Order, refund: Refund, settings: Settings): object {
  const { refundId, fiatAmount, status } = refund
  return {
    requestId,
    refundId,
    fiatAmount: echoed(fiatAmount, settings),
    status: wordOf(status, settings['words.refunds']),
  }
}

/** The time of an order's last change in answers; a scenario may skew it. */
const updatedTs = ({ updatedAt, terms }: Order): number => updatedAt + (terms.updatedTsSkewMs ?? 0)

/** Wraps records of JSON text in `{"data":[…]}`. */
export const presentList = (records: readonly string[]): string => `{"data":[${records.join(',')}]}`

/** The error reason of an order; undefined unless the status is FAILED (R73, R79). */
function failure(order: Order, status = order.orderStatus): ErrorReason | undefined {
  return status === 'FAILED' ? (order.errorReason ?? undefined) : undefined
}

/** Adds the payment URL that `mode` asks for, in the field that the settings name (N7). */
function withUrl(answer: object, order: Order, settings: Settings, origin: string): object {
  const base = settings.publicBaseUrl ?? origin
  const url = paymentUrl(order, `${base}${settings['paths.paymentPage']}`)
  return url === null ? answer : withField(answer, settings['responses.urlField'].split('.'), url)
}

/** Adds the fees, if the settings name a field for them (N84). */
function withFee(answer: object, { fiatAmount }: Order, settings: Settings): object {
  const field = settings['responses.feeField']
  const fee = feeOf(fiatAmount, settings)
  return field === null || fee === null ? answer : withField(answer, field.split('.'), fee)
}

function withField(object: object, [name = '', ...deeper]: readonly string[], value: string): object {
  const there: unknown = Object.entries(object).find(([each]) => each === name)?.[1]
  const field = deeper.length === 0 ? value : withField(isMapping(there) ? there : {}, deeper, value)
  return { ...object, [name]: field }
}
