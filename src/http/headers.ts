import type { Context } from 'hono'

/** A request's headers by name, in lower case; one that came several times has its values joined. Read from Node's
 *  list where there is a connection: filling a `Headers` with it costs more than the rest of a lookup. */
export function headersOf(c: Context): Iterable<readonly [string, string]> {
  const list: unknown = c.env?.incoming?.rawHeaders
  return Array.isArray(list) ? joinedHeaders(list) : c.req.raw.headers
}

/** Headers by name, in lower case.
 *  @param list names and values in turn, as Node gives them */
export function joinedHeaders(list: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = list[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`)
  }
  return headers
}
