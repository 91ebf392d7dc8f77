import type { Delivery } from '../../index.ts'
import type { Defect } from '../report.ts'

/** One POST of a webhook, and its answer. */
export type Attempt = Delivery['attempts'][number]

/** Whether the answer was 2xx. */
export const isTaken = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Whether the application failed: 5xx or no answer. */
export const isBroken = ({ status }: Attempt): boolean => status === null || status >= 500

/** The defect of an answer that is not 2xx, for a webhook that must be accepted. */
export function defectOf({ status }: Attempt): Defect {
  if (status === null) return 'no-answer'
  if (status < 400) return 'redirected'
  return status < 500 ? 'refused' : 'server-error'
}

/** Describes the answer, worded to follow "It": `answered 302`. */
export function inWords({ status, outcome, ms, error }: Attempt): string {
  if (status !== null) return `answered ${status}`
  if (outcome === 'timeout') return `did not answer within ${ms} ms`
  return `gave no answer (${error ?? outcome})`
}

/** Returns the last POST of a delivery.
 *  @throws Error if the delivery was never sent, which cannot happen to webhooks sent by hand */
export function lastAttempt({ id, attempts }: Delivery): Attempt {
  const last = attempts.at(-1)
  if (last === undefined) throw new Error(`${id} was never sent`)
  return last
}
