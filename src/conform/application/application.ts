import type { Given, OrderState, WebhookSignature } from '../config/config.ts'

/** The application under test, however it is reached. */
export interface Application {
  readonly webhookUrl: string | null
  readonly webhookSignature: WebhookSignature
  /** Makes it create an order; null if there is no way to. */
  readonly start: ((given: Given) => Promise<Answer>) | null
  readonly startSubscription: ((given: Given) => Promise<Answer>) | null
  /** Whether the answer of a start call is to bring the requestId. */
  readonly namesOrders: boolean
  /** Whether a start carries a text that a customer has typed. */
  readonly takesText: boolean
  /** @param id the application's own name of the order; needed if `probesById` */
  readonly probe: ((requestId: string, id: string | null) => Promise<Seen>) | null
  /** Whether the probe asks by the application's own names. */
  readonly probesById: boolean
  readonly reconcile: (() => Promise<void>) | null
  readonly time: ((nowMs: number) => Promise<void>) | null
  /** Opens one of its pages. */
  readonly open: (url: string) => Promise<Opened>
  readonly pollingMs: number
  /** Whether the configuration says that it polls: then it may take that long to find out anything. */
  readonly saysItPolls: boolean
  readonly settleMs: number
  /** How long it takes to act on what it was told, as was measured; at most `settleMs`. */
  readonly actsWithinMs: number
  readonly patienceMs: number
}

/** What stands in the place of a call where a function was called. */
export const functionCall = 'the function'

/** What it answered when it was made to create an order. */
export interface Answer {
  /** What was called, in words. */
  readonly call: string
  /** HTTP status; null if there was no answer, or no HTTP. */
  readonly status: number | null
  readonly body: string
  /** Where the configuration says that it stands; null if there is none. */
  readonly requestId: string | null
  /** The application's own name of the order, if the configuration says where it stands; null if nothing stands there. */
  readonly id?: string | null
  /** The configuration says where, and nothing stands there. */
  readonly namesNone?: boolean
  /** Why there was no answer. */
  readonly error: string | null
}

/** What came of opening a page. */
export interface Opened {
  /** Whether the page has scripts, which were not run. */
  readonly scripts: boolean
  /** HTTP status of the last answer; null if there was no answer, or nobody knows. */
  readonly status: number | null
  /** Why nothing answered, or why nobody went there; null if a page was opened. */
  readonly error: string | null
}

/** What it holds an order for. */
export interface Seen {
  /** `unknown`: it knows no such order. `other`: a word that the configuration does not explain. */
  readonly state: OrderState | 'unknown' | 'other'
  /** Its own word. */
  readonly word: string | null
  /** How often it released something; null if nobody can tell. */
  readonly effects: number | null
}

/** The application did not answer a probe, or not with 2xx or 404. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
  /** HTTP status; null if there was no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}
