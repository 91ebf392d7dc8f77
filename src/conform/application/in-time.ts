import { after } from '../../time/timers.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Application } from './application.ts'
import { ProbeFailed } from './application.ts'

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
