import { bodyOnTheWire, faultsAt } from '../domain/attempt-faults.ts'
import type { Delivery } from '../domain/delivery.ts'

/** A delivery as the control API shows it. `bodyText` is what goes over the wire, byte for byte; `body` the same,
 *  easier to read if it is JSON. */
export function presentDelivery(delivery: Delivery): object {
  const { sequence: _, body, attempts, ...rest } = delivery
  const sent = attempts.map((attempt) => ({ ...attempt, ...sentInstead(delivery, attempt.n) }))
  return { ...rest, body: parsed(body), bodyText: body, attempts: sent }
}

/** What an attempt really sent of the body, where a fault has made something else of it. */
function sentInstead({ body, plan }: Delivery, attempt: number): { bodyText?: string } {
  const text = bodyOnTheWire(body, faultsAt(plan, attempt)).sent.toString()
  return text === body ? {} : { bodyText: text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
