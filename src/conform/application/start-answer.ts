import type { Answer } from './application.ts'

/** Whether a start call told the customer that all is well. A start function that throws says that it is not. */
export const saidYes = ({ status, requestId, error }: Answer): boolean =>
  status === null ? error === null && requestId !== null : status < 300

/** Whether it told the customer that something is broken: not answered at all, a 5xx, or the service's own 401 handed
 *  on. What else is below 500, like 409, speaks of the order. */
export const saidNo = ({ status, error }: Answer): boolean =>
  status === null ? error !== null : status >= 500 || status === 401 || status === 403
