import type { Settings } from '../choices/settings.ts'
import { fillTemplate } from '../text/template.ts'
import type { EpochMs } from '../text/time.ts'
import { attemptOf } from './attempt-number.ts'
import type { ClaimedDelivery } from './delivery.ts'

/** The settings that decide about the body of a batch. */
export type BatchSettings = Pick<Settings, 'webhook.batch' | 'time.offset'>

/** The one webhook in which claimed deliveries go out together (N82). It has the id, headers and settings of the first,
 *  and the faults of all. A delivery without a batch is that webhook itself.
 *  @throws {TypeError} without deliveries */
export function batched(deliveries: readonly ClaimedDelivery[], settings: BatchSettings): ClaimedDelivery {
  const filled = deliveries.map((delivery) => attemptOf(delivery, delivery.attempt))
  const [first] = filled
  if (first === undefined) throw new TypeError('a webhook has at least one event')
  if (first.batch === undefined) return first
  const plans = filled.flatMap(({ plan }) => plan ?? [])
  const bodies = filled.map(({ body }) => body)
  const limits = plans.flatMap(({ attempts }) => attempts ?? [])
  const accepted = filled.flatMap((each) => each.accepted ?? [])
  return {
    ...first,
    body: batchBody(
      bodies,
      { webhookId: first.webhookId, deliveryId: first.id, at: first.batch.at },
      settings,
    ),
    plan:
      plans.length === 0
        ? null
        : {
            ...first.plan,
            faults: plans.flatMap(({ faults = [] }) => faults),
            attempts: limits.length === 0 ? undefined : Math.min(...limits),
          },
    accepted: accepted.length === 0 ? undefined : Math.max(...accepted),
  }
}

/** The body in which the bodies of some events are sent. Without the setting, as for a webhook that was begun with it, it
 *  is a list.
 *  @param about the first event, and when they were put together */
export function batchBody(
  bodies: readonly string[],
  { webhookId, deliveryId, at }: { webhookId: string; deliveryId: string; at: EpochMs },
  { 'webhook.batch': form, 'time.offset': offset }: BatchSettings,
): string {
  const events = `[${bodies.flatMap(elementsOf).join(',')}]`
  if (form?.template === undefined) return events
  const sentTime = { time: at, offset }
  const values = { events: { json: events }, count: bodies.length, webhookId, deliveryId, sentTime }
  return fillTemplate(form.template, values) ?? events
}

/** A body that is a list already gives its elements. */
function elementsOf(body: string): string[] {
  const text = body.trim()
  if (!text.startsWith('[')) return [text]
  const inner = text.slice(1, -1).trim()
  return inner === '' ? [] : [inner]
}
