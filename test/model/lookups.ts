import type { JsonObject } from '../support/answer.ts'
import { same } from './difference.ts'
import { orderTypes } from './model-client.ts'
import { faultStatus, type ModelFaults } from './model-faults.ts'
import type { ModelOrder } from './model-order.ts'
import { nameInWebhook, since, timeOf } from './names.ts'
import type { Side } from './world.ts'

/** Compares what the three lookups of `/v1` show under a requestId, oldest first (N64c). @throws Difference */
export async function compareLookups(
  { real, model }: Side,
  requestId: string,
  faults: ModelFaults,
): Promise<void> {
  const [fiat, crypto, refunds] = await Promise.all([
    real.fiatOrders(requestId),
    real.cryptoOrders(requestId),
    real.refunds(requestId),
  ])
  const found = model.orders.filter((order) => order.requestId === requestId)
  const stages = ['unchecked', 'before', 'stored'] as const
  const isFaulty = stages.some((when) =>
    faults.meet({ on: 'orders', when }, { client: model.clientId, requestId }, model.now),
  )
  same([`orders ${fiat.status}`], [`orders ${isFaulty ? faultStatus : 200}`])
  same(
    [
      ...(isFaulty ? [] : fiat.data.map(shownFiat)),
      ...crypto.data.map(shownCrypto),
      ...shownRefunds(refunds),
    ],
    [
      ...(isFaulty ? [] : found.filter(({ kind }) => kind !== 'crypto-payin').map(expectedFiat)),
      ...found.map(expectedCrypto),
      ...expectedRefunds(found),
    ],
  )
}

const line = (lookup: string, members: object) => `${lookup}: ${JSON.stringify(members)}`

function shownFiat(record: JsonObject): string {
  return line('orders', { ...shownMembers(record), exchangeAmount: record.exchangeAmount })
}

function shownCrypto(record: JsonObject): string {
  const { paymentStatus, receivedAmount, settlementStatus, txnHash, cryptoAmount } = record
  const hash = txnHash === undefined ? undefined : 'HASH'
  return line('crypto-orders', {
    ...shownMembers(record),
    paymentStatus,
    receivedAmount,
    settlementStatus,
    txnHash: hash,
    cryptoAmount,
  })
}

function shownMembers(record: JsonObject) {
  const { orderId, requestId, clientId, orderStatus, updatedTs, orderType } = record
  const { errorReason }: { errorReason?: { errorCode: string } } = record
  return {
    name: nameInWebhook(String(clientId), { requestId: String(requestId), orderId: String(orderId) }),
    orderStatus,
    updated: since(Number(updatedTs)),
    orderType,
    errorCode: errorReason?.errorCode,
  }
}

function shownRefunds({ data, json }: { data: readonly JsonObject[]; json: JsonObject }): string[] {
  const { errorReason }: { errorReason?: { errorCode: string } } = json
  const ids = new Set(data.map(({ refundId }) => refundId))
  return [
    ...data.map(({ requestId, refundId, fiatAmount, status }) =>
      line('fiat-refunds', { requestId, at: since(timeOf(String(refundId))), fiatAmount, status }),
    ),
    `fiat-refunds: ${ids.size} different ones, errorCode ${errorReason?.errorCode}`,
  ]
}

function expectedFiat(order: ModelOrder): string {
  return line('orders', { ...expectedMembers(order), exchangeAmount: order.fiatAmount })
}

function expectedCrypto(order: ModelOrder): string {
  const { paymentStatus, orderStatus, fiatAmount } = order
  // One to one, in eight decimals (N66).
  const cryptoAmount = Number(fiatAmount).toFixed(8)
  return line('crypto-orders', {
    ...expectedMembers(order),
    paymentStatus,
    receivedAmount: paymentStatus === 'COMPLETED' ? cryptoAmount : undefined,
    settlementStatus: 'NOT_REQUIRED',
    txnHash: orderStatus === 'COMPLETED' ? 'HASH' : undefined,
    cryptoAmount,
  })
}

function expectedMembers({ name, kind, orderStatus, updatedAt, errorCode }: ModelOrder) {
  return {
    name,
    orderStatus,
    updated: since(updatedAt),
    orderType: orderTypes[kind],
    errorCode: orderStatus === 'FAILED' ? errorCode : undefined,
  }
}

/** All refunds under a requestId, oldest first (N64c), and beside them the latest failure (N62). */
function expectedRefunds(orders: readonly ModelOrder[]): string[] {
  const refunds = orders
    .flatMap(({ requestId, refunds: own }) => own.map((one) => ({ requestId, ...one })))
    .sort((a, b) => a.at - b.at)
  const failures = orders.flatMap(({ refundFailure }) => refundFailure ?? [])
  const latest = failures.sort((a, b) => a.at - b.at).at(-1)
  return [
    ...refunds.map(({ requestId, at, fiatAmount }) =>
      line('fiat-refunds', { requestId, at: since(at), fiatAmount, status: 'REFUND_INITIATED' }),
    ),
    `fiat-refunds: ${refunds.length} different ones, errorCode ${latest?.errorCode}`,
  ]
}
