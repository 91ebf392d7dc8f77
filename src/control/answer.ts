import type { MiddlewareHandler } from 'hono'
import { EmulatorError } from '../domain/text/errors.ts'
import type { ControlParts } from './parts.ts'

export const json = (value: unknown, status = 200): Response => jsonText(JSON.stringify(value), status)

export const jsonText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...safeHeaders } })

/** Security headers of every control API response: no content sniffing, and no caching, because some responses
 *  contain credentials. */
export const safeHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Adds the security headers to every response. HTML may not be framed or load resources, unless the page sets its
 *  own policy. */
export const secured: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  for (const [name, value] of Object.entries(safeHeaders)) headers.set(name, value)
  if (!headers.get('content-type')?.startsWith('text/html')) return
  headers.set('x-frame-options', 'DENY')
  if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', closed)
}

const closed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Converts an error to the response `{"error":{"code","message"}}`. An unexpected error is logged and returned as
 *  `internal`, without details. */
export function refusalOf(
  error: Error,
  { onError, journal }: Pick<ControlParts, 'onError' | 'journal'>,
): Response {
  const known = error instanceof EmulatorError
  const id = known ? '' : journal.nextId()
  if (!known) onError(error, id)
  const { code, message, status, headers } = known ? error : new EmulatorError('internal', { id })
  const body = JSON.stringify({ error: { code, message } })
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...safeHeaders, ...headers },
  })
}
