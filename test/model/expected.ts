import type { ModelClient } from './model-client.ts'
import { type ModelDelivery, type ModelOrder, nextThing } from './model-order.ts'
import { since } from './names.ts'

/** What the model expects to see of a client, in the words of `observed.ts`. */
export function expectedLines(model: ModelClient): string[] {
  const { clientId, orders, simulations } = model
  const events = [...orders.flatMap(({ deliveries }) => deliveries), ...simulations]
  const { url, paused, holds } = model.outbox
  const endpoint = `URL ${doorOf(url)}${paused ? ' paused' : ''}`
  return [
    `${clientId} at ${since(model.now)}, next ${since(model.nextDueAt())}, ${endpoint}, holds ${JSON.stringify(holds)}`,
    ...orders.map((order) => orderLine(order)).sort(),
    ...events.map((delivery) => deliveryLine(clientId, delivery)).sort(),
  ]
}

/** What both lookups of `/v1` should show under a requestId, oldest first (N64c). */
export function expectedLookup({ orders }: ModelClient, requestId: string): string[] {
  return orders.filter((order) => order.requestId === requestId).map(recordLine)
}

function recordLine({ name, orderStatus, paymentStatus, updatedAt, errorCode }: ModelOrder): string {
  return lookupLine({
    name,
    orderStatus,
    paymentStatus,
    updatedAt,
    errorCode: orderStatus === 'FAILED' ? errorCode : null,
    received: paymentStatus === 'COMPLETED',
    hash: orderStatus === 'COMPLETED',
  })
}

export function lookupLine(shown: {
  name: string
  orderStatus: string
  paymentStatus: string
  updatedAt: number
  errorCode: string | null
  received: boolean
  hash: boolean
}): string {
  const { name, orderStatus, paymentStatus, updatedAt, errorCode, received, hash } = shown
  const money = `${received ? 'received' : 'nothing received'}, ${hash ? 'hash' : 'no hash'}`
  return `${name} in /v1: ${orderStatus}, payment ${paymentStatus}, error ${errorCode}, updated ${since(updatedAt)}, ${money}`
}

/** What an advance should tell of the client's walk. */
export function expectedLedger({ transitions, outbox }: ModelClient): string[] {
  const byTime = (a: { at: number; requestId: string }, b: { at: number; requestId: string }) =>
    a.at - b.at || (a.requestId < b.requestId ? -1 : a.requestId > b.requestId ? 1 : 0)
  const moved = transitions
    .toSorted(byTime)
    .map(({ at, requestId, words }) => `${since(at)} ${requestId} ${words}`)
  const sent = outbox.attempts
    .toSorted((a, b) => byTime(a, b) || a.place - b.place)
    .map(({ at, words }) => `${since(at)} ${words}`)
  return [...moved, ...sent]
}

/** `a`, of `http://127.0.0.1:4711/C1/a`. */
export const doorOf = (url: string | null): string => url?.split('/').at(-1) ?? 'none'

function orderLine(order: ModelOrder): string {
  const { name, charge, script, orderStatus, paymentStatus, errorCode, updatedAt } = order
  const { steps, history, deliveries } = order
  const todo = steps.map(({ does, errorCode: code, dueAt, doneAt }) => {
    const what = does === 'pay' ? 'pay completed' : `order ${does}${code === null ? '' : ` ${code}`}`
    return `${what} ${since(dueAt)} done ${since(doneAt)}`
  })
  const { next, nextAt = null } = order.subscription ?? {}
  if (nextAt !== null) todo.push(`charge ${next} ${since(nextAt)} done ${since(null)}`)
  const came = deliveries
    .filter(({ firstSent }) => firstSent !== null)
    .sort((a, b) => (a.firstSent ?? 0) - (b.firstSent ?? 0))
    .map((delivery) => delivery.orderStatus)
  const told = history.map((entry) => entry.replace(/^\d+/, (at) => since(Number(at))))
  return [
    `${name} charge ${charge} ${script}: ${orderStatus}, payment ${paymentStatus}, error ${errorCode}`,
    `updated ${since(updatedAt)}, next ${since(nextThing(order)?.dueAt ?? null)}`,
    `timeline [${todo.join(', ')}], history [${told.join(', ')}], sent first ${came}`,
  ].join(', ')
}

function deliveryLine(clientId: string, delivery: ModelDelivery): string {
  const { event, requestId, orderStatus, errorCode, status, dueAt, attempts } = delivery
  const made = attempts.map(
    (attempt) => `${since(attempt.at)} ${attempt.outcome} ${attempt.status} at ${doorOf(attempt.url)}`,
  )
  const body = {
    requestId,
    clientId,
    orderId: 'ID',
    orderStatus,
    orderType: 'CHECKOUT',
    eventType: 'service-sdk-transaction-status',
    ...(errorCode === null ? {} : { errorCode }),
  }
  const arrived = `arrived at [${attempts.map(({ url }) => doorOf(url))}] all alike`
  return `${event}: ${status}, due ${since(dueAt)}, attempts [${made.join(', ')}], ${arrived}, ${JSON.stringify(body)}`
}
