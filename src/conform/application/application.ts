import { after } from '../../time/timers.ts'
import type { Given, OrderState, WebhookSignature } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'

/** How long a call of the application may take beyond the timeouts of the configuration, before it counts as hung. */
const graceMs = 15_000

/** Wraps an application so that every call ends: without an answer after its timeout, or at once when the run is
 *  aborted. Functions of the configuration may never resolve, and a server may accept connections and never answer. */
export function inTime(
  app: Application,
  signal: AbortSignal | undefined,
  limitMs = Math.max(app.patienceMs, app.pollingMs) + graceMs,
): Application {
  const late = `no answer within ${limitMs / 1000} s`
  const within = <T>(act: () => Promise<T>, otherwise: () => T) =>
    unlessAborted(() => limited(act, limitMs, otherwise), signal)
  const refuse = (error: Error) => () => {
    throw error
  }
  const { start, startSubscription, probe, cancel, reconcile, time, open } = app
  const started = (act: NonNullable<Application['start']>): NonNullable<Application['start']> => {
    const unanswered = { call: 'the start call', status: null, body: '', requestId: null, error: late }
    return (given) =>
      within(
        () => act(given),
        () => unanswered,
      )
  }
  return {
    ...app,
    start: start && started(start),
    startSubscription: startSubscription && started(startSubscription),
    probe:
      probe && ((...of) => within(() => probe(...of), refuse(new ProbeFailed(`the probe: ${late}`, null)))),
    cancel:
      cancel && ((...of) => within(() => cancel(...of), refuse(new WrongConfiguration('cancel', late)))),
    reconcile: reconcile && (() => within(reconcile, refuse(new WrongConfiguration('reconcile', late)))),
    time: time && ((nowMs) => within(() => time(nowMs), refuse(new WrongConfiguration('time', late)))),
    open: (url) => unlessAborted(() => open(url), signal),
  }
}

/** The result of an act, unless the run is aborted first.
 *  @throws the reason of the abort */
export async function unlessAborted<T>(act: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return act()
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([act(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function limited<T>(act: () => Promise<T>, limitMs: number, otherwise: () => T): Promise<T> {
  const { promise: over, resolve } = Promise.withResolvers<'over'>()
  const cancel = after(limitMs, () => resolve('over'))
  try {
    const ended = await Promise.race([act().then((value) => ({ value })), over])
    return ended === 'over' ? otherwise() : ended.value
  } finally {
    cancel()
  }
}

/** Whether the answer of a start call means success. A start function that throws means failure. */
export const succeeded = ({ status, requestId, error }: Answer): boolean =>
  status === null ? error === null && requestId !== null : status < 300

/** Whether the answer of a start call means that something is broken: no answer, a 5xx, or the service's 401 passed
 *  on. Other 4xx such as 409 are about the order. */
export const reportsFailure = ({ status, error }: Answer): boolean =>
  status === null ? error !== null : status >= 500 || status === 401 || status === 403

/** The application under test, called over HTTP or by functions. */
export interface Application {
  readonly webhookUrl: string | null
  readonly webhookSignature: WebhookSignature
  /** Makes the application create an order; null if that is not configured. */
  readonly start: ((given: Given) => Promise<Answer>) | null
  readonly startSubscription: ((given: Given) => Promise<Answer>) | null
  /** Whether the answer of a start call contains the requestId. */
  readonly namesOrders: boolean
  /** Whether a start call contains a value: the text that a customer types, the price, or the name of a cart. Of a
   *  function that is known once it was called. */
  readonly takes: (value: 'text' | 'amount' | 'cart') => boolean
  /** Asks the application for an order.
   *  @param id the application's own id of the order; needed if `probesById` */
  readonly probe: ((requestId: string, id: string | null) => Promise<Seen>) | null
  /** Whether the probe uses the application's own ids. */
  readonly probesById: boolean
  /** Makes the application give up an order.
   *  @throws WrongConfiguration if the call fails */
  readonly cancel: ((requestId: string, id: string | null) => Promise<void>) | null
  readonly reconcile: (() => Promise<void>) | null
  readonly time: ((nowMs: number) => Promise<void>) | null
  /** Opens a page of the application. */
  readonly open: (url: string) => Promise<Opened>
  readonly pollingMs: number
  /** Whether the configuration says that the application polls; a change may then take that long to be noticed. */
  readonly saysItPolls: boolean
  readonly settleMs: number
  /** How long the application takes to act on a webhook, as measured; at most `settleMs`. */
  readonly actsWithinMs: number
  readonly patienceMs: number
}

/** The words for a start call that is a function instead of an HTTP call. */
export const functionCall = 'the function'

/** The application's answer to a start call. */
export interface Answer {
  /** The start call in words, for messages. */
  readonly call: string
  /** The HTTP status of the answer; null without an answer, and if a function was called. */
  readonly status: number | null
  readonly body: string
  /** The requestId in the answer, at the configured place; null if the place is empty. */
  readonly requestId: string | null
  /** The application's own order id in the answer, at the configured place; null if the place is empty. */
  readonly id?: string | null
  /** Whether the answer lacks the id at the configured place. */
  readonly namesNone?: boolean
  /** Why the start call got no answer; null if it got one. */
  readonly error: string | null
}

/** The result of opening a page of the application. */
export interface Opened {
  /** Whether the page has scripts, which were not run. */
  readonly scripts: boolean
  /** The HTTP status of the last answer; null if nothing answered, or the status is unknown. */
  readonly status: number | null
  /** The reason why no page was opened; null if a page was opened. */
  readonly error: string | null
}

/** The state of an order, as the application's probe shows it. */
export interface Seen {
  /** `unknown`: the application does not know the order. `other`: a status text that the configuration does not
   *  explain. */
  readonly state: OrderState | 'unknown' | 'other'
  /** The status text of the application. */
  readonly word: string | null
  /** The number of fulfilments of the order; null if the probe does not show it. */
  readonly effects: number | null
}

/** The application did not answer a probe, or not with 2xx or 404. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
  /** The HTTP status of the probe; null without an answer. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}
