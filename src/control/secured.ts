import type { MiddlewareHandler } from 'hono'

/** Headers of every answer of the control API: it is nothing to guess the type of, to keep (credentials are in some)
 *  or to frame, and no page of it may load anything unless it says so itself. */
export const secured: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cache-control', 'no-store')
  if (!headers.get('content-type')?.startsWith('text/html')) return
  headers.set('x-frame-options', 'DENY')
  if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', closed)
}

const closed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
