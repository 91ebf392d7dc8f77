import type { DecisionContext } from '../order/decision.ts'
import { formedId } from '../order/id-forms.ts'
import { eventIds, unknownIds } from '../order/ids.ts'
import type { Companion } from '../scenario/scenario.ts'
import type { NewDelivery } from './delivery.ts'
import { type Notice, payload, type WebhookEvent } from './payload.ts'

/** An extra webhook that follows another one, about an unknown order, client or event type. */
export function companionOf(
  { event, at }: Notice,
  kind: Companion,
  before: readonly NewDelivery[],
  context: DecisionContext,
  by: readonly string[] | undefined,
): NewDelivery {
  const last = before.at(-1)
  if (last === undefined) throw new Error('a companion has no webhook to accompany')
  const sequence = last.sequence + 1
  const { id, webhookId } = eventIds(event.orderId, sequence)
  const other = unknownOf(event, kind, context)
  return {
    ...last,
    ...{ id, webhookId, sequence },
    eventType: other.eventType,
    body: payload(other, { settings: context.settings, webhookId, at }),
    verbatim: undefined,
    plan: {
      ...last.plan,
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
