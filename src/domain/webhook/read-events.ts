import type { Settings } from '../choices/settings.ts'
import { inFormats, type Reading, type ReadValue, readTemplate } from '../text/read-template.ts'
import type { BatchForm } from './batch-form.ts'
import { eventFor, statusesFor, type WebhookWords } from './words.ts'

/** The settings that decide how a webhook is read. */
export const readingSettings = [
  'webhook.format',
  'webhook.template',
  'webhook.refundTemplate',
  'words.webhook',
  'words.events',
  'webhook.jwt',
  'webhook.batch',
] as const satisfies readonly (keyof Settings)[]
export type ReadingSettings = Pick<Settings, (typeof readingSettings)[number]>

const texts = ['requestId', 'clientId', 'orderId', 'orderType', 'errorCode', 'webhookId', 'refundId'] as const

/** An event in a webhook's body, in the emulator's own words. Fields that the body does not have are left out. */
export type ReadEvent = {
  readonly [Name in (typeof texts)[number] | 'orderStatus' | 'eventType']?: string | undefined
} & {
  /** The part of a batch that is this event, as JSON (N82). */
  readonly part?: unknown
}

/** Reads the events from a webhook's body: one, or several if the body lists them. Words of the settings are turned
 *  back. A body that the settings do not explain is read in the formats `flat` and `envelope`.
 *  @returns none for a body that is no webhook of the emulator */
export function readEvents(body: string, settings: ReadingSettings): ReadEvent[] {
  const json = parsed(body)
  if (settings['webhook.batch'] === null) return readOne(json, settings)
  return eventsIn(json, settings['webhook.batch']).flatMap((part) =>
    readOne(part, settings).map((event) => ({ ...event, part })),
  )
}

/** The bodies that a batch has put together. */
function eventsIn(body: unknown, { template }: BatchForm): readonly unknown[] {
  const around = template === undefined ? [] : readTemplate(template, body)
  const [events] = around.flatMap(({ values }) => values.get('events') ?? [])
  const list = events?.value ?? body
  return Array.isArray(list) ? list : [list]
}

function readOne(body: unknown, settings: ReadingSettings): ReadEvent[] {
  const filled = parsed(claimsIn(body)) ?? body
  for (const templates of [templatesOf(settings), usual]) {
    const events = bestReading(templates, filled).map((reading) => eventOf(reading, settings))
    if (events.some(({ requestId, orderId }) => (requestId ?? orderId) !== undefined)) return events
  }
  return bestReading(templatesOf(settings), filled)
    .map((reading) => eventOf(reading, settings))
    .filter((event) => Object.values(event).some((value) => value !== undefined))
}

const flat = {
  ...{ requestId: '${requestId}', clientId: '${clientId}', orderId: '${orderId}' },
  ...{ orderStatus: '${orderStatus}', orderType: '${orderType}', eventType: '${eventType}' },
  errorCode: '${errorCode}',
}
const envelope = {
  ...{ requestId: '${requestId}', type: '${eventType}' },
  data: { orderType: '${orderType}', orderId: '${orderId}', orderStatus: '${orderStatus}' },
  error: { code: '${errorCode}', message: '${errorMessage}' },
}
const usual: readonly unknown[] = [flat, envelope]

/** The templates of the settings; the other formats are templates too. */
export function templatesOf(settings: ReadingSettings): readonly unknown[] {
  const format = settings['webhook.format']
  if (format === 'flat') return [flat]
  if (format === 'jwt') return [settings['webhook.jwt']?.claims ?? envelope]
  if (format === 'envelope') return [envelope]
  const templates = [settings['webhook.template'], settings['webhook.refundTemplate']].filter(
    (one) => one !== null,
  )
  // A batch has the elements of a body that is a list.
  return settings['webhook.batch'] === null
    ? templates
    : templates.flatMap((one) => (Array.isArray(one) ? one : [one]))
}

/** The readings by the template that fits best: with the fewest other texts, then with the most values and fixed texts. */
function bestReading(templates: readonly unknown[], filled: unknown): Reading[] {
  const found = templates.map((template) => readTemplate(template, filled))
  const total = (readings: readonly Reading[], count: (reading: Reading) => number) =>
    readings.reduce((sum, reading) => sum + count(reading), 0)
  const [best = []] = found.toSorted(
    (a, b) =>
      total(a, ({ misfits }) => misfits) - total(b, ({ misfits }) => misfits) ||
      total(b, ({ values, fits }) => values.size + fits) - total(a, ({ values, fits }) => values.size + fits),
  )
  return best
}

function eventOf({ values }: Reading, settings: ReadingSettings): ReadEvent {
  const fields = texts.flatMap((name) => {
    const text = textIn(values.get(name))
    return text === undefined ? [] : [[name, text] as const]
  })
  const type = firstText(values.get('eventType'))
  const event = type && eventFor(type.text, settings, writtenIn(type.formats))
  const stated = ['orderStatus', 'refundStatus', 'statusOfOrder'].map((name) => firstText(values.get(name)))
  const status = stated.find((one) => one !== undefined)
  return {
    ...Object.fromEntries(fields),
    orderStatus:
      status === undefined ? onlyOne(event?.statuses) : statusIn(status, event?.statuses, settings),
    eventType: event?.eventType,
  }
}

interface Text {
  readonly text: string
  readonly formats: readonly string[]
}

const firstText = (read: readonly ReadValue[] | undefined): Text | undefined =>
  read?.flatMap(({ value, formats }) => (typeof value === 'string' ? { text: value, formats } : []))[0]

/** A text, if possible as a placeholder without formats has it. Emulator's own ids have no capitals. */
function textIn(read: readonly ReadValue[] = []): string | undefined {
  const written = read.flatMap(({ value, formats }) =>
    typeof value === 'string' || typeof value === 'number' ? { text: String(value), formats } : [],
  )
  const best = written.find(({ formats }) => formats.length === 0) ?? written[0]
  return best?.formats.includes('upper') ? best.text.toLowerCase() : best?.text
}

const writtenIn = (formats: readonly string[]) => (word: string) => inFormats(word, formats)

/** The status of which a text is the word. If several statuses look alike by their formats, the event type decides. */
function statusIn({ text, formats }: Text, ofEvent: readonly string[] = [], settings: WebhookWords): string {
  const possible = statusesFor(text, settings['words.webhook'], writtenIn(formats))
  const status = possible.find((each) => ofEvent.includes(each)) ?? possible[0]
  return status ?? (formats.includes('lower') ? text.toUpperCase() : text)
}

const onlyOne = (statuses: readonly string[] = []): string | undefined =>
  statuses.length === 1 ? statuses[0] : undefined

/** The claims of a body that is an object with a JWT, without a check of its signature; empty for another body. */
function claimsIn(body: unknown): string {
  const members = typeof body === 'object' && body !== null ? Object.values(body) : []
  const [token] = members
  const isToken = members.length === 1 && typeof token === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
  return isToken ? Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8') : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
