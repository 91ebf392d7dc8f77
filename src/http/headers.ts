import type { Context } from 'hono'

/** A request's headers, names and values in turn. Those of Node where there is a connection: filling a `Headers` with
 *  them costs more than the rest of a lookup. */
export function rawHeadersOf(c: Context): readonly string[] {
  const list: unknown = c.env?.incoming?.rawHeaders
  return Array.isArray(list) ? list : [...c.req.raw.headers].flat()
}
