import type { ReadEvent } from '../../domain/webhook/read-events.ts'
import type { WebhookEvent } from '../shapes.ts'

/** A webhook that an inbox has received. One of several events (`webhook.batch`) is there once for each of them. */
export interface ReceivedWebhook {
  /** The event in the emulator's own words, the same for every format, template and wording of the settings. Fields that
   *  the body does not have are empty. */
  readonly event: WebhookEvent
  /** The body as JSON, or as text; of several events, the part that is this event. */
  readonly body: unknown
  /** The body as it arrived. */
  readonly text: string
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `ok`, also where the settings ask for no signature; otherwise a description of what is wrong. */
  readonly signature: string
  /** The id in the headers, `webhook-id` by default, the same for every attempt. `null` without one (`webhook.auth`,
   *  `webhook.signature`). */
  readonly webhookId: string | null
  /** Counts the webhooks with this `webhookId`, or with the same bytes if there is none, from 1. */
  readonly attempt: number
  /** The time of arrival, epoch milliseconds of wall-clock time. */
  readonly receivedAt: number
  /** The HTTP status of the answer. `null` before the answer, and after `hang` or `reset`. */
  readonly answered: number | null
}

/** Parses a text as JSON; returns the text itself if it is not JSON. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The event of a webhook, as its body was read.
 *  @param clientId the owner of the inbox, for a body without a clientId */
export function eventFrom(read: ReadEvent | undefined, clientId: string): WebhookEvent {
  const { requestId = '', orderId = '', orderStatus = '', orderType = '', eventType = '' } = read ?? {}
  const event = {
    requestId,
    clientId: read?.clientId ?? clientId,
    orderId,
    orderStatus,
    orderType,
    eventType,
  }
  return read?.errorCode === undefined ? event : { ...event, errorCode: read.errorCode }
}

/** The fields that every webhook event has. */
export const standardFields = [
  'requestId',
  'clientId',
  'orderId',
  'orderStatus',
  'orderType',
  'eventType',
] as const
