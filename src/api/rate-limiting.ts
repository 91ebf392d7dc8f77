import { limitWords, secondsUntil } from '../domain/answers/rate-limit.ts'
import type { Operation } from '../domain/journal/entry.ts'
import { formatDuration } from '../domain/text/duration.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { ServiceParts } from './call.ts'
import { Refusal } from './refusal.ts'
import type { RequestInfo } from './response.ts'

/** Counts a call for the rate limits of its client, and sets their headers (N81).
 *  @throws Refusal 429 beyond a limit */
export function countCall(
  call: { readonly operation: Operation; readonly token: string },
  clientId: string,
  info: RequestInfo,
  { clients, rateLimits, scheduler }: ServiceParts,
): void {
  const settings = clients.settingsOf(clientId)
  if (settings.limits.length === 0) return
  const now = scheduler.now(clientId)
  const { refused, headers: ofLimits } = rateLimits.count(clientId, call, settings, now)
  info.headers = ofLimits
  if (refused === null) return
  const seconds = secondsUntil(refused.freeAt, now)
  const wait = { wait: formatDuration(seconds * 1000) }
  const sent = refused.limit.retryAfter ? { 'retry-after': String(seconds) } : {}
  const { status, code, message, headers } = new EmulatorError('limit_reached', wait, sent)
  const diagnosis = { cause: 'limit.reached', message: limitWords(refused, now) } as const
  throw new Refusal(status, { error: message }, diagnosis, { headers, open: { code, message } })
}
