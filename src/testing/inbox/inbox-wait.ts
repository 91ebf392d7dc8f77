import { inspect } from 'node:util'
import { strayOption } from '../option-names.ts'
import type { WantedSignature } from './selection.ts'

/** How to wait for a webhook. */
export interface InboxWait {
  /** Milliseconds of wall-clock time; 0 checks once. Default: 4,000, a second less than vitest and Jest give a test. */
  readonly timeoutMs?: number | undefined
  /** Which signatures match: `ok`, `wrong` or `any`. Default: `ok`. */
  readonly signature?: WantedSignature | undefined
}

/** Wall milliseconds. */
export const usualWaitMs = 4_000

/** Refuses what is no way to wait, which a wait for the wrong thing would hide.
 *  @throws TypeError for an unknown option, RangeError for a wrong value */
export function checkWait(wait: object): void {
  const stray = strayOption(wait, ['timeoutMs', 'signature', 'count'])
  if (stray !== null) throw new TypeError(`Waiting for a webhook: ${stray}`)
  const { timeoutMs, signature, count }: Readonly<Record<string, unknown>> = { ...wait }
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs >= 0))
    throw new RangeError(`timeoutMs: expected milliseconds, 0 or more, not ${inspect(timeoutMs)}`)
  if (signature !== undefined && signature !== 'ok' && signature !== 'wrong' && signature !== 'any')
    throw new RangeError(`signature: expected 'ok', 'wrong' or 'any', not ${inspect(signature)}`)
  if (count !== undefined && !(typeof count === 'number' && Number.isInteger(count) && count >= 0))
    throw new RangeError(`count: expected a number of webhooks, not ${inspect(count)}`)
}
