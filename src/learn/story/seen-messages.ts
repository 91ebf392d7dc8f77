import type { Settings } from '../../domain/choices/settings.ts'
import { recipeOf } from '../../domain/webhook/recipe.ts'
import type { Evidence, SeenOrder } from '../evidence/evidence.ts'
import { type Message, readMessage, type Sender } from './sendings.ts'

/** Reads the webhooks that name an order, and those whose first attempt was too spoilt to name it. */
export function messagesOf(
  { webhooks, requestId, clientId, orderIds }: SeenOrder,
  evidence: Evidence,
  settings: Settings,
): { messages: Message[]; notes: string[] } {
  const ids = [requestId, ...orderIds]
  const spoilt = evidence.webhooks.filter(
    ({ order, attempts }) =>
      order === null && attempts.some(({ body }) => ids.some((id) => body?.includes(`"${id}"`))),
  )
  const all = evidence.webhooks
  const { header = '' } = recipeOf(settings) ?? {}
  const signed = all.filter(({ attempts }) => attempts.some(({ headers }) => headers[header] !== undefined))
  const sender: Sender = {
    settings,
    secrets: evidence.secrets,
    clientId: clientId ?? '',
    until: evidence.until,
    usuallySigned: signed.length * 2 > all.length,
  }
  const isAbout = (event: { requestId?: string | undefined; orderId?: string | undefined }) =>
    event.requestId === requestId || (event.orderId !== undefined && orderIds.has(event.orderId))
  const messages = [...webhooks, ...spoilt]
    .map((webhook) => readMessage(webhook, isAbout, sender))
    .toSorted((a, b) => a.sendings[0].attempts[0].at - b.sendings[0].attempts[0].at)
  return { messages, notes: notesOn(messages, evidence) }
}

/** Sentences about what the files do not repeat of the webhooks. */
function notesOn(messages: readonly Message[], { secrets, isOneClock }: Evidence): string[] {
  const notes: string[] = []
  const unread = messages.filter(({ event }) => event?.orderStatus === undefined).length
  if (unread > 0)
    notes.push(
      `${unread} of ${messages.length} webhooks have no status that the settings explain. The file sends their bodies as they were. Pass the settings that learn found.`,
    )
  if (secrets.webhookSecret === null && messages.length > 0)
    notes.push('Signatures were not checked, because no webhook secret was handed in.')
  if (!isOneClock && messages.length > 0)
    notes.push('The clocks of calls and webhooks disagree, so the times between them are uncertain.')
  const urls = messages.flatMap(({ sendings }) =>
    sendings.flatMap(({ attempts }) =>
      attempts.map(({ exchange: { origin, path, query } }) => `${origin}${path}?${query}`),
    ),
  )
  if (new Set(urls).size > 1)
    notes.push('The webhook URL changed meanwhile. The file sends all webhooks to one URL.')
  return notes
}
