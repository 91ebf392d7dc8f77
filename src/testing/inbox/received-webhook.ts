import { receivedFields } from '../../webhooks/verification.ts'
import type { WebhookEvent } from '../shapes.ts'

/** A webhook that an inbox has received. */
export interface ReceivedWebhook {
  /** The event, the same for every format (`flat`, `envelope`, `jwt`). Fields that the body does not have under their
   *  usual names are empty. */
  readonly event: WebhookEvent
  /** The body as JSON, or as text. */
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

/** Extracts the event from a webhook's body.
 *  @param clientId the owner of the inbox, for a body without a clientId */
export function eventIn(text: string, clientId: string): WebhookEvent {
  const body = jsonOr(text)
  if (isEvent(body)) return body
  const { errorCode, ...told } = receivedFields(text)
  const { requestId = '', orderId = '', orderStatus = '', orderType = '', eventType = '' } = told
  const event = { requestId, clientId: told.clientId ?? clientId, orderId, orderStatus, orderType, eventType }
  return errorCode === undefined ? event : { ...event, errorCode }
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

const isEvent = (body: unknown): body is WebhookEvent =>
  typeof body === 'object' &&
  body !== null &&
  standardFields.every((name) => typeof Reflect.get(body, name) === 'string')
