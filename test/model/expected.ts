import type { ModelClient } from './model-client.ts'
import type { ModelDelivery } from './model-delivery.ts'
import type { ModelOrder, ModelStep } from './model-order.ts'
import { since } from './names.ts'
import { nextThing, waitsForPayer } from './plan.ts'

/** The model's expected state of a client, in the words of `observed.ts`. */
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

/** The expected ledger of a client's walk. */
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
  const { name, kind, charge, script, orderStatus, paymentStatus, errorCode, updatedAt } = order
  const { expiresAt, steps, refunds, history, deliveries } = order
  const todo = steps.map(
    (step) => `${wordsOf(step)} ${since(step.dueAt ?? step.doneAt)} done ${since(step.doneAt)}`,
  )
  const { next, nextAt = null } = order.subscription ?? {}
  if (nextAt !== null) todo.push(`charge ${next} ${since(nextAt)} done never`)
  const came = deliveries
    .filter(({ firstSent }) => firstSent !== null)
    .sort((a, b) => (a.firstSent ?? 0) - (b.firstSent ?? 0))
    .map((delivery) => delivery.orderStatus)
  const told = history.map((entry) => entry.replace(/^\d+/, (at) => since(Number(at))))
  const given = refunds.map(({ at, fiatAmount }) => `${fiatAmount} ${since(at)}`)
  return [
    `${name} ${kind} charge ${charge} ${script.id}: ${orderStatus}, payment ${paymentStatus}, error ${errorCode}`,
    `waits for its payer ${waitsForPayer(order)}, updated ${since(updatedAt)}, next ${since(nextThing(order)?.dueAt ?? null)}, expires ${since(expiresAt)}`,
    `refunds [${given.join(', ')}]`,
    `timeline [${todo.join(', ')}], history [${told.join(', ')}], sent first ${came}`,
  ].join(', ')
}

function wordsOf({ does }: ModelStep): string {
  if (does.do === 'pay') return 'pay completed'
  if (does.do === 'cancel') return 'subscription cancelled'
  if (does.do === 'refund error') return `refund error ${does.errorCode}`
  if (does.do === 'refund')
    return `refund of ${does.percent === 100 ? 'all' : `${does.percent} %`}, REFUND_INITIATED`
  return `order ${does.status}${does.errorCode === null ? '' : ` ${does.errorCode}`}`
}

function deliveryLine(clientId: string, delivery: ModelDelivery): string {
  const { event, requestId, orderStatus, orderType, errorCode, status, dueAt, attempts } = delivery
  const made = attempts.map(
    (attempt) => `${since(attempt.at)} ${attempt.outcome} ${attempt.status} at ${doorOf(attempt.url)}`,
  )
  const body = {
    requestId,
    clientId,
    orderId: 'ID',
    orderStatus,
    orderType,
    eventType: 'service-sdk-transaction-status',
    ...(errorCode === null ? {} : { errorCode }),
  }
  const arrived = `arrived at [${attempts.map(({ url }) => doorOf(url))}] all alike`
  return `${event}: ${status}, due ${since(dueAt)}, attempts [${made.join(', ')}], ${arrived}, ${JSON.stringify(body)}`
}
