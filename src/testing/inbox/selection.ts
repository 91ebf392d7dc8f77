import { fits, type Members } from '../../domain/where.ts'
import type { Where } from '../shapes.generated.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** Which webhooks are meant: equality on the members of the event, or of the body by its own names, where a text may
 *  end in `*` (`{requestId: 'r1', orderStatus: 'COMPLETED'}`); or a function that tells. */
export type InboxWhere = Where | ((webhook: ReceivedWebhook) => boolean)

/** Whether those are meant whose signature is right, is not, or any. */
export type WantedSignature = 'ok' | 'wrong' | 'any'

/** Whether a webhook is one of those that are meant. */
export function isMeant(webhook: ReceivedWebhook, where: InboxWhere, signature: WantedSignature): boolean {
  if (signature !== 'any' && (webhook.signature === 'ok') !== (signature === 'ok')) return false
  return typeof where === 'function' ? where(webhook) : fits(where, membersOf(webhook))
}

/** What can be asked for by name. */
export function membersOf({ body, event }: ReceivedWebhook): Members {
  return typeof body === 'object' ? { ...event, ...body } : { ...event }
}

/** In words, for a message. */
export function wordsFor(where: InboxWhere): string {
  if (typeof where === 'function')
    return `for which ${where.toString().replaceAll(/\s+/g, ' ').slice(0, 120)}`
  return Object.keys(where).length === 0 ? 'at all' : `with ${JSON.stringify(where)}`
}
