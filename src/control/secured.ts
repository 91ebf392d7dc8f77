import type { MiddlewareHandler } from 'hono'

/** Headers of every answer of the control API: it is nothing to guess the type of or to keep (credentials are in some). */
export const safeHeaders = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Gives every answer the headers that all have; besides, it is nothing to frame, and no page may load anything unless it
 *  says so itself. */
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
