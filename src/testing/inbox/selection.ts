import { didYouMean } from '../../domain/text/issue-words.ts'
import { fits, type Members, type Where } from '../../domain/text/where.ts'
import type { WhereOf } from '../records.ts'
import type { WebhookEvent } from '../shapes.ts'
import { type ReceivedWebhook, standardFields } from './received-webhook.ts'

/** Selects webhooks by fields of the event or body that must be equal, where a text may end in `*`, or by a
 *  function. */
export type InboxWhere = WhereOf<WebhookEvent> | ((webhook: ReceivedWebhook) => boolean)

/** Which signatures match: correct ones, wrong ones, or any. */
export type WantedSignature = 'ok' | 'wrong' | 'any'

/** Whether a webhook matches a filter and has the wanted signature. */
export function isSelected(webhook: ReceivedWebhook, where: InboxWhere, signature: WantedSignature): boolean {
  if (signature !== 'any' && (webhook.signature === 'ok') !== (signature === 'ok')) return false
  if (typeof where === 'function') return immediate(where(webhook))
  const wanted = Object.entries(given(where))
  return wanted.every(([name, value]) =>
    wordings(webhook).some((members) => fits({ [name]: value }, members)),
  )
}

/** The fields of a webhook in the words of its body, and in the emulator's own. */
const wordings = (webhook: ReceivedWebhook): Members[] => [membersOf(webhook), { ...webhook.event }]

/** Rejects a promise as the result of a filter function, because a promise would count as true. */
function immediate(answer: unknown): boolean {
  if (answer instanceof Promise)
    throw new TypeError(
      'A filter for webhooks has to return its result immediately: do not pass an async function',
    )
  return Boolean(answer)
}

/** The fields of a webhook that a filter can use. */
export function membersOf({ body, event }: ReceivedWebhook): Members {
  return typeof body === 'object' ? { ...event, ...body } : { ...event }
}

/** Rejects a filter with an unknown field, which would never match. Bodies may add fields of their own.
 *  @throws TypeError */
export function checkMembers(where: InboxWhere, webhooks: readonly ReceivedWebhook[]): void {
  if (typeof where === 'function' || webhooks.length === 0) return
  const names = new Set([
    ...standardFields,
    'errorCode',
    ...webhooks.flatMap((webhook) => Object.keys(membersOf(webhook))),
  ])
  for (const name of Object.keys(where)) {
    if (names.has(name) || names.has(name.split('.', 1)[0] ?? '')) continue
    throw new TypeError(`Webhooks have no field \`${name}\`${didYouMean(name, names)}`)
  }
}

/** Removes undefined fields from a filter. */
export const given = (where: WhereOf<WebhookEvent>): Where =>
  Object.fromEntries(
    Object.entries(where).flatMap(([name, wanted]) => (wanted === undefined ? [] : [[name, wanted]])),
  )

/** Describes a filter for an error message. */
export function wordsFor(where: InboxWhere): string {
  if (typeof where === 'function')
    return `for which ${where.toString().replaceAll(/\s+/g, ' ').slice(0, 120)}`
  return Object.keys(given(where)).length === 0 ? 'at all' : `with ${JSON.stringify(where)}`
}
