import { after } from '../../time/timers.ts'
import type { Given, OrderState, WebhookSignature } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'

/** Beyond what the configuration says that it may take. */
const graceMs = 15_000

/** The same application, each call of which ends: after a while, as one that was not answered, and at once when the run
 *  is ended. Functions of the configuration may wait for ever, and so may a server that only accepts connections. */
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
  const { start, startSubscription, probe, reconcile, time, open } = app
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
    reconcile: reconcile && (() => within(reconcile, refuse(new WrongConfiguration('reconcile', late)))),
    time: time && ((nowMs) => within(() => time(nowMs), refuse(new WrongConfiguration('time', late)))),
    open: (url) => unlessAborted(() => open(url), signal),
  }
}

/** What comes of an act, unless the signal comes first. @throws the reason of the signal */
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

/** Whether a start call told the customer that all is well. A start function that throws says that it is not. */
export const saidYes = ({ status, requestId, error }: Answer): boolean =>
  status === null ? error === null && requestId !== null : status < 300

/** Whether it told the customer that something is broken: not answered at all, a 5xx, or the service's own 401 handed
 *  on. What else is below 500, like 409, speaks of the order. */
export const saidNo = ({ status, error }: Answer): boolean =>
  status === null ? error !== null : status >= 500 || status === 401 || status === 403

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
