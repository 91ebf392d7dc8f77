import type { DecisionContext } from '../order/decision.ts'
import { formedId } from '../order/id-forms.ts'
import { eventIds, unknownIds } from '../order/ids.ts'
import type { Order } from '../order/order.ts'
import type { Companion } from '../scenario/scenario.ts'
import type { NewDelivery } from './delivery.ts'
import { payload } from './payload.ts'
import { type Notice, ownHeaders, type WebhookEvent } from './payload-values.ts'

/** An extra webhook that follows another one, about an unknown order, client or event type. */
export function companionOf(
  notice: Notice,
  kind: Companion,
  { before, order, by }: { before: readonly NewDelivery[]; order: Order; by: readonly string[] | undefined },
  context: DecisionContext,
): NewDelivery {
  const { event } = notice
  const last = before.at(-1)
  if (last === undefined) throw new Error('a companion has no webhook to accompany')
  const sequence = last.sequence + 1
  const { id, webhookId } = eventIds(event.orderId, sequence)
  const other = { ...notice, event: unknownOf(event, kind, context) }
  const about = { settings: context.settings, webhookId, deliveryId: id, sequence, order }
  return {
    ...last,
    ...{ id, webhookId, sequence },
    eventType: other.event.eventType,
    body: payload(other, about),
    verbatim: undefined,
    plan: {
      ...last.plan,
      headers: ownHeaders(other, about),
      faults: kind === 'other-client' ? [{ sign: 'wrong' }] : undefined,
      // Sent once only, because a correct application refuses it.
      attempts: 1,
      by,
    },
  }
}

/** The event of an extra webhook. Its ids are derived from the ids of the event before it. */
function unknownOf(event: WebhookEvent, kind: Companion, context: DecisionContext): WebhookEvent {
  if (kind === 'unknown-event') return { ...event, eventType: 'service-sdk-account-notice' }
  const { seed, settings, nowMs } = context
  const { orderId, requestId } = unknownIds(event.orderId)
  const form = settings['orders.ids']
  const source = { seed, use: 'stranger', clientId: event.clientId, requestId, charge: 1, nowMs, draw: 0 }
  const clientId = kind === 'other-client' ? 'another-merchant' : event.clientId
  return { ...event, orderId: form === null ? orderId : formedId(form, source), requestId, clientId }
}
