import type { PrintedOrderStatus } from '../../domain/statuses.ts'
/** How the application verifies webhooks. */
export type WebhookSignature = 'none' | 'standard' | 'hmac-body'

/** What an application says about an order. */
export type OrderState = PrintedOrderStatus

/** The application under test: where it can be seen, and what it can be made to do. With `webhookUrl` alone only its
 *  answers to webhooks and its calls can be judged; `start` and `probe` show whether orders are fulfilled once, and
 *  only when they are paid. */
export interface ConformConfig {
  /** The clientId whose credentials the application has; `demo-client` if left out. */
  readonly client?: string | undefined
  /** URL where the application receives webhooks; the client’s registered URL if left out. */
  readonly webhookUrl?: string | undefined
  /** How it verifies them; `none` if left out: then nothing is said about signatures. */
  readonly webhookSignature?: WebhookSignature | undefined
  /** Makes it create a checkout order. As a function: answers the requestId. */
  readonly start?: StartCall | StartFunction | undefined
  /** Makes it create a monthly subscription. */
  readonly startSubscription?: StartCall | StartFunction | undefined
  /** Asks it what it holds an order for. */
  readonly probe?: ProbeCall | ProbeFunction | undefined
  /** Makes it look up its open orders now, like the endpoint of a cron job. */
  readonly reconcile?: Call | (() => unknown) | undefined
  /** Tells it the time of the client's clock whenever that has moved, if its own can be set. `{now}` in the call stands
   *  for epoch milliseconds. Webhooks are signed with the real time all the same. */
  readonly time?: Call | ((nowMs: number) => unknown) | undefined
  /** Opens a page of the application as a browser would; for applications within a test, which no network reaches. What
   *  it answers is taken for the page if it is a `Response`. */
  readonly browser?: ((url: string) => unknown) | undefined
  /** Within which real time it finds by polling what no webhook has told: `10s` if left out. */
  readonly polling?: string | undefined
  /** How long it may take to act on what it was told: `500ms` if left out. So long is watched that nothing happens. */
  readonly settle?: string | undefined
  /** How long is waited at most for what must happen: `5s` if left out. */
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

/** A call that makes the application create an order. `{unique}` in its URL, headers and body stands for something that
 *  is new each time, `{text}` for a text that a customer has typed. */
export interface StartCall extends Call {
  /** Where the requestId stands in the answer, as a JSON pointer: `/requestId`. Without it, it is read from the create
   *  call that the application makes. */
  readonly requestId?: string | undefined
  /** Where the application's own name of the order stands in the answer, as a JSON pointer, if the probe asks by it
   *  (`{id}`). */
  readonly id?: string | undefined
}

/** A call that asks for an order; `{requestId}` stands for its name, `{id}` for the application's own (`start.id`). `GET`
 *  if no method is given. */
export interface ProbeCall extends Call {
  /** Where the application's own status stands in the answer, as a JSON pointer. */
  readonly status: string
  /** Which of its words mean what. Words that are in none of these are told, and nothing is judged by them. */
  readonly statuses: StatusWords
  /** Where the count of what it released or granted for the order stands: a number, a list, or true and false. */
  readonly effects?: string | undefined
  /** By how much that count grows for one order; 1 if left out. */
  readonly perEffect?: number | undefined
}

/** The words that an application has for each status. */
export interface StatusWords extends Readonly<Partial<Record<PrintedOrderStatus, Words | undefined>>> {
  readonly COMPLETED: Words
}

/** One word or several. */
type Words = string | readonly string[]

/** Makes the application create an order. @returns the requestId, or null if it has made none */
export type StartFunction = (given: Given) => Promise<string | null> | string | null

/** Asks the application for an order. @returns null if it knows of none */
export type ProbeFunction = (requestId: string) => Promise<Probed | null> | Probed | null

/** What is different in each start. */
export interface Given {
  /** New each time: letters and digits. */
  readonly unique: string
  /** What a customer has typed. */
  readonly text: string
}

/** What an application holds an order for. */
export interface Probed {
  /** One of the three, or a word of its own that is none of them. */
  readonly status: OrderState | (string & {})
  /** How often it has released something for it; left out, nobody can tell. */
  readonly effects?: number | undefined
}
