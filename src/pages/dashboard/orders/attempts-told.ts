import { overrideOf } from '../../../domain/attempt-faults.ts'
import { nextAttemptAt, type RetryPolicy } from '../../../domain/retry.ts'
import { toneOf } from '../parts.tsx'
import { deliveryPath } from '../paths.ts'
import { spanWords } from '../span-words.ts'
import type { Happening, ShownDelivery, Sources } from './story.ts'

/** The attempts of a delivery so far. */
export const attemptsMade = ({ id, orderStatus, attempts, plan }: ShownDelivery): Happening[] =>
  attempts.map((attempt) => {
    const { n, at, outcome, status, ms, error } = attempt
    const override = overrideOf(plan, attempt)
    const ended = override ?? `${outcome}${status === null ? '' : ` (${status})`}`
    const took = ms === null ? {} : { more: `after ${ms} ms` }
    return {
      ...{ id: `attempt-${id}-${n}`, lane: 'webhook', at, done: true, path: deliveryPath(id) },
      deliveryId: id,
      tone: override === null ? toneOf(outcome) : 'waiting',
      label: orderStatus,
      words: `Webhook ${orderStatus}, attempt ${n}: ${ended}`,
      ...(error === null || override !== null ? took : { more: error }),
    }
  })

/** The attempt that a delivery waits for. */
export function nextAttempt(delivery: ShownDelivery, { retry }: Sources): Happening[] {
  const { id, orderStatus, status, dueAt, attempts } = delivery
  const common = {
    id: `next-${id}`,
    lane: 'webhook',
    done: false,
    tone: 'waiting',
    label: orderStatus,
    path: deliveryPath(id),
    deliveryId: id,
  } as const
  if (status === 'held')
    return [{ ...common, at: null, words: `Webhook ${orderStatus}: held until a release` }]
  if (status === 'skipped') {
    const words = `Webhook ${orderStatus}: not sent, no URL is registered`
    return [{ ...common, id: `skipped-${id}`, at: dueAt, done: true, words }]
  }
  if (status !== 'pending') return []
  if (dueAt === null)
    return [{ ...common, at: null, words: `Webhook ${orderStatus}: after its create call is answered` }]
  const n = attempts.length + 1
  return [
    {
      ...common,
      at: dueAt,
      words: `Webhook ${orderStatus}, attempt ${n}`,
      ...retriesAfter(dueAt, n, policyOf(delivery, retry)),
    },
  ]
}

/** A scenario may grant fewer attempts than the settings. */
const policyOf = ({ plan }: ShownDelivery, retry: RetryPolicy): RetryPolicy => ({
  ...retry,
  max: Math.min(retry.max, (plan?.attempts ?? Infinity) - 1),
})

/** The retries that follow if the endpoint goes on refusing. */
function retriesAfter(dueAt: number, n: number, retry: RetryPolicy): { more?: string } {
  let last = dueAt
  let count = 0
  for (let made = n; ; made += 1) {
    const next = nextAttemptAt(made, last, retry)
    if (next === null) break
    last = next
    count += 1
  }
  if (count === 0) return { more: 'the last one' }
  return { more: `if it fails, up to ${count} more within ${spanWords(last - dueAt)}` }
}
