import type { Settings } from '../choices/settings.ts'
import { orderEventType, orderStatuses, refundStatuses } from '../order/statuses.ts'

/** The settings that give statuses and events other words in webhooks. */
export type WebhookWords = Pick<Settings, 'words.webhook' | 'words.events'>

/** The keys of `words.events` that stand for no status: any other refund, and any other event of an order. */
const eventKeys = { refund: 'refund', other: 'other' } as const

/** Returns the word for a status. */
export const wordOf = (status: string, words: Readonly<Record<string, string>>): string =>
  (Object.hasOwn(words, status) ? words[status] : undefined) ?? status

/** Returns the event type in webhooks. Only the usual one has other words: an unknown type stays unknown.
 *  @param about the status of the event, and whether a refund has it */
export function eventWord(
  eventType: string,
  about: { readonly status: string; readonly isRefund: boolean },
  { 'words.events': words }: WebhookWords,
): string {
  if (eventType !== orderEventType) return eventType
  const keys = [about.status, about.isRefund ? eventKeys.refund : eventKeys.other]
  const key = keys.find((each) => Object.hasOwn(words, each))
  return (key === undefined ? undefined : words[key]) ?? eventType
}

/** Returns the statuses that a word of a webhook can stand for.
 *  @param written turns a status or its word into the text of the webhook, by formats such as `upper` */
export function statusesFor(
  text: string,
  words: Readonly<Record<string, string>>,
  written: (word: string) => string,
): string[] {
  const known = new Set([...Object.keys(words), ...orderStatuses, ...refundStatuses])
  return [...known].filter((status) => written(wordOf(status, words)) === text)
}

/** Reads an event type back. Different events may have one word.
 *  @returns the emulator's event type, and the statuses that the word can stand for; a word that no setting has
 *    written stays as it is */
export function eventFor(
  text: string,
  { 'words.events': words }: WebhookWords,
  written: (word: string) => string,
): { readonly eventType: string; readonly statuses: readonly string[] } {
  const keys = Object.keys(words).filter((key) => written(words[key] ?? '') === text)
  if (keys.length > 0)
    return {
      eventType: orderEventType,
      statuses: keys.filter((key) => key !== eventKeys.refund && key !== eventKeys.other),
    }
  return { eventType: written(orderEventType) === text ? orderEventType : text, statuses: [] }
}
