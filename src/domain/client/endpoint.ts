import type { Settings } from '../choices/settings.ts'
import type { Client } from './client.ts'

/** What a client's webhook endpoint has done to its webhooks. */
export type EndpointState = Pick<Client, 'webhookPaused' | 'pausedAfter' | 'failedInARow'>

/** The state of an endpoint whose URL was just set, even to the same one (N44, N72). */
export const newEndpoint: EndpointState = { webhookPaused: false, pausedAfter: null, failedInARow: 0 }

/** The state of an endpoint after its answer 410 (N44). */
export const goneEndpoint = (before: EndpointState): EndpointState =>
  before.webhookPaused ? before : { ...before, webhookPaused: true, pausedAfter: null }

/** The state of an endpoint after an attempt: failed attempts in a row are counted across deliveries, and too many of
 *  them pause the webhooks (N72). Without a limit nothing is counted. */
export function endpointAfter(
  before: EndpointState,
  accepted: boolean,
  limit: Settings['webhook.disableAfter'],
): EndpointState {
  const failedInARow = accepted || limit === null ? 0 : before.failedInARow + 1
  const isTooMany = limit !== null && failedInARow >= limit
  if (before.webhookPaused || !isTooMany) return { ...before, failedInARow }
  return { webhookPaused: true, pausedAfter: failedInARow, failedInARow }
}
