import type { PrintedOrderStatus } from '../../domain/order/statuses.ts'
import { nearest } from '../../domain/text/issue-words.ts'

/** Lists every `{name}` in a text, or in the texts of a value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(placeholder)].map(([, name = '']) => name)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placeholdersIn)
}

/** Replaces `{name}` by values in all texts of a value; unknown names stay.
 *  @param encode encodes each value */
export function filled(
  value: unknown,
  values: Readonly<Record<string, string>>,
  encode: (text: string) => string = (text) => text,
): unknown {
  if (typeof value === 'string')
    return value.replaceAll(placeholder, (whole, name: string) =>
      Object.hasOwn(values, name) ? encode(values[name] ?? '') : whole,
    )
  if (Array.isArray(value)) return value.map((member) => filled(member, values, encode))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, values, encode)]),
  )
}

/** The problem with unknown placeholders in a text: in a URL they are mistakes, elsewhere braces may be literal.
 *  @returns null if there is none */
export function strayPlaceholder(
  text: unknown,
  known: readonly string[],
  where: 'url' | 'text',
): string | null {
  const stray = placeholdersIn(text).find((name) => !known.includes(name))
  if (stray === undefined) return null
  const meant = nearest(stray, known)
  if (meant === undefined && where === 'text') return null
  const hint = meant === undefined ? '' : `; did you mean {${meant}}?`
  const list =
    known.length === 0
      ? 'there are no placeholders here'
      : `use ${known.map((name) => `{${name}}`).join(', ')}`
  return `unknown placeholder {${stray}}${hint || `; ${list}`}`
}

const placeholder = /(?<!\$)\{(\w+)\}/g

/** The options that make more of the application observable. */
const channels: readonly string[] = [
  'webhookUrl',
  'webhookSignature',
  'start',
  'startSubscription',
  'probe',
  'cancel',
  'reconcile',
  'time',
  'polling',
] satisfies (keyof ConformConfig)[]

/** The options that a text names between backticks, in the order of the configuration: cases declare their needs in
 *  this way. */
export function membersNamed(text: string): string[] {
  const names = [...text.matchAll(/`([A-Za-z.]+)`/g)].map(([, name = '']) => name)
  return [...new Set(names)]
    .filter((name) => placeOf(name) >= 0)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
}

const placeOf = (name: string): number => channels.indexOf(name.split('.')[0] ?? '')

/** How the application verifies webhooks; `settings`: as the settings of the client say. */
export type WebhookSignature = 'none' | 'standard' | 'hmac-body' | 'settings'

/** The status of an order in the application. */
export type OrderState = PrintedOrderStatus

/** How to reach the application under test. With `webhookUrl` alone, only its answers to webhooks and its calls are
 *  observable; `start` and `probe` show whether orders are fulfilled once, and only when they are paid. */
export interface ConformConfig {
  /** The clientId whose credentials the application uses; `demo-client` if left out. */
  readonly client?: string | undefined
  /** URL where the application receives webhooks; the client’s registered URL if left out. */
  readonly webhookUrl?: string | undefined
  /** How the application verifies webhooks; `none` if left out, which skips the cases about signatures. `settings`: as
   *  the client's settings say, which may have a recipe (`webhook.signature`). */
  readonly webhookSignature?: WebhookSignature | undefined
  /** Makes the application create a checkout order. As a function: returns the requestId. */
  readonly start?: StartCall | StartFunction | undefined
  /** Makes the application create a monthly subscription. */
  readonly startSubscription?: StartCall | StartFunction | undefined
  /** Returns the status of an order in the application. */
  readonly probe?: ProbeCall | ProbeFunction | undefined
  /** Makes the application give up an order that is not paid, as a customer who cancels it. The call contains
   *  `{requestId}`, or `{id}`: the application's own id of the order. As a function: receives the requestId. */
  readonly cancel?: Call | ((requestId: string) => unknown) | undefined
  /** Makes the application look up its open orders now, like the endpoint of a cron job. */
  readonly reconcile?: Call | (() => unknown) | undefined
  /** Sends the time of the client's clock to the application whenever that clock has moved. `{now}` in the call is
   *  replaced by epoch milliseconds. Webhooks are still signed with the wall-clock time. */
  readonly time?: Call | ((nowMs: number) => unknown) | undefined
  /** Opens a page of the application as a browser would; for applications in a test that no network reaches. If it
   *  returns a `Response`, that is the page. */
  readonly browser?: ((url: string) => unknown) | undefined
  /** How long the application may need to notice a change by polling, without a webhook, in wall-clock time: `10s` if
   *  left out. */
  readonly polling?: string | undefined
  /** How long the application may take to act on a webhook: `500ms` if left out. A check that nothing happens takes
   *  as long. */
  readonly settle?: string | undefined
  /** How long to wait at most for an expected reaction: `5s` if left out. */
  readonly patience?: string | undefined
}

/** A call of the application. */
export interface Call {
  /** `POST` if left out. */
  readonly method?: string | undefined
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown
}

/** A call that makes the application create an order. `{unique}` in its URL, headers and body is different each time;
 *  `{text}` is a text that a customer types, `{amount}` the price, like `10.00`, and `{cart}` the name of the cart:
 *  the same if a customer submits it twice. */
export interface StartCall extends Call {
  /** JSON pointer to the requestId in the answer: `/requestId`. If left out, it is taken from the create call of the
   *  application. */
  readonly requestId?: string | undefined
  /** JSON pointer to the application's own order id in the answer, if the probe uses `{id}`. */
  readonly id?: string | undefined
}

/** A call that returns an order, by its `{requestId}` or the application's own `{id}` (`start.id`). `GET` if no
 *  method is given. */
export interface ProbeCall extends Call {
  /** JSON pointer to the status in the answer. */
  readonly status: string
  /** Which status texts of the application mean which status of the service. Other texts are reported, and decide
   *  nothing. */
  readonly statuses: StatusWords
  /** JSON pointer to the fulfilments of the order: a number, a list, or true or false. */
  readonly effects?: string | undefined
  /** How much one paid order adds to that count; 1 if left out. */
  readonly perEffect?: number | undefined
}

/** The status texts of the application for each status. */
export interface StatusWords extends Readonly<Partial<Record<PrintedOrderStatus, Words | undefined>>> {
  readonly COMPLETED: Words
}

/** One status text, or several. */
type Words = string | readonly string[]

/** Makes the application create an order. @returns the requestId, or null if it has created none */
export type StartFunction = (given: Given) => Promise<string | null> | string | null

/** Asks the application for an order. @returns null if it does not know the order */
export type ProbeFunction = (requestId: string) => Promise<Probed | null> | Probed | null

/** Values that differ for each start call. */
export interface Given {
  /** Different each time: letters and digits. */
  readonly unique: string
  /** A text that a customer types. */
  readonly text: string
  /** The price of the order in decimal digits, like `10.00`. */
  readonly amount: string
  /** The name of the customer's cart: the same if the customer submits it twice. */
  readonly cart: string
}

/** The state of an order in the application. */
export interface Probed {
  /** One of the three, or another text of the application. */
  readonly status: OrderState | (string & {})
  /** How often the application has fulfilled the order; not observable if left out. */
  readonly effects?: number | undefined
}
