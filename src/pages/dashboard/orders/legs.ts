import { type Tone, toneOf } from '../parts.tsx'
import type { ShownOrder } from './story.ts'

/** A leg of an order through time: which status it had from when on. */
export interface Leg {
  readonly name: string
  /** Oldest first; each holds until the next. */
  readonly statuses: readonly { readonly at: number; readonly status: string; readonly tone: Tone }[]
}

/** The status of the order, of its payment, and of its settlement where that has moved. */
export function legsOf(order: ShownOrder): readonly Leg[] {
  return [
    legOf(order, 'Order', 'order', order.orderStatus),
    legOf(order, 'Payment', 'payment', order.paymentStatus),
    legOf(order, 'Settlement', 'settlement', order.settlementStatus),
  ].filter(({ name, statuses }) => name !== 'Settlement' || statuses.length > 1)
}

/** @param now what the leg stands at; where nothing is told of it, from the start */
function legOf({ history, createdAt }: ShownOrder, name: string, what: string, now: string): Leg {
  const changes = history.filter((entry) => entry.what === what && entry.to !== undefined)
  const statuses = [
    { at: createdAt, status: changes[0]?.from ?? now },
    ...changes.map(({ at, to = now }) => ({ at, status: to })),
  ]
  return { name, statuses: statuses.map((one) => ({ ...one, tone: toneOf(one.status) })) }
}
