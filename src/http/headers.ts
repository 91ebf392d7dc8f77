import type { Context } from 'hono'

/** A request's headers, names and values in turn. Those of Node where there is a connection: filling a `Headers` with
 *  them costs more than the rest of a lookup. */
export function rawHeadersOf(c: Context): readonly string[] {
  const list: unknown = c.env?.incoming?.rawHeaders
  return Array.isArray(list) ? list : [...c.req.raw.headers].flat()
}

/** A header of a request, by its name in lower case; what stands there more than once is joined. Looked for among those of
 *  Node where there is a connection: `Headers` examines the name and the value before it answers. */
export function headerOf(c: Context, name: string): string | undefined {
  const list: unknown = c.env?.incoming?.rawHeaders
  if (!Array.isArray(list)) return c.req.header(name)
  let value: string | undefined
  for (let place = 0; place < list.length; place += 2) {
    const each: string = list[place]
    if (each.length !== name.length || each.toLowerCase() !== name) continue
    value = value === undefined ? list[place + 1] : `${value}, ${list[place + 1]}`
  }
  return value
}
