import { toldIn } from '../../webhooks/told.ts'
import type { WebhookEvent } from '../shapes.ts'

/** A webhook that an inbox has got. */
export interface ReceivedWebhook {
  /** What it tells, read the same from each of the emulator's formats: out of an envelope, or out of its token. Of a
   *  body that does not tell something under the usual name (a damaged one, a template of your own) that is empty. */
  readonly event: WebhookEvent
  /** The body as JSON; as text if it is none. */
  readonly body: unknown
  /** The body as it came. */
  readonly text: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** `ok`, also where the client's settings ask for none; else what is wrong with it, in words. */
  readonly signature: string
  /** The header `webhook-id`, which is the same on every attempt; null without one (`webhook.auth`). */
  readonly webhookId: string | null
  /** The how-manieth it is with this `webhookId`, from 1; without one, with these very bytes. */
  readonly attempt: number
  /** Epoch milliseconds of wall time. */
  readonly receivedAt: number
  /** The HTTP status it was answered with; null while it has none, and for ever if it hangs or was reset. */
  readonly answered: number | null
}

/** The JSON of a text; the text itself if it is none. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a body tells. @param clientId whose inbox it is: an envelope does not say it */
export function eventIn(text: string, clientId: string): WebhookEvent {
  const body = jsonOr(text)
  if (isEvent(body)) return body
  const { errorCode, ...told } = toldIn(text)
  const { requestId = '', orderId = '', orderStatus = '', orderType = '', eventType = '' } = told
  const event = { requestId, clientId: told.clientId ?? clientId, orderId, orderStatus, orderType, eventType }
  return errorCode === undefined ? event : { ...event, errorCode }
}

/** What every event tells. */
export const alwaysTold = [
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
  alwaysTold.every((name) => typeof Reflect.get(body, name) === 'string')
