/** The parameters of a query by their names, if each is there once and stands as it is, without escapes; else null, and
 *  `URLSearchParams` has to say. That takes as long as all else about the query of a lookup. */
export function plainParameters(query: string): Record<string, string> | null {
  if (!plain.test(query)) return null
  const parameters: Record<string, string> = {}
  for (const part of query.split('&')) {
    if (part === '') continue
    const mark = part.indexOf('=')
    const name = mark === -1 ? part : part.slice(0, mark)
    if (name === '__proto__' || Object.hasOwn(parameters, name)) return null
    parameters[name] = mark === -1 ? '' : part.slice(mark + 1)
  }
  return parameters
}

/** What `URLSearchParams` would take for itself: no escapes, and no `?`, which it leaves out at the beginning. */
const plain = /^[!-$&-*,->@-~]*$/

/** The parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const name of query.keys()) (seen.has(name) ? again : seen).add(name)
  return [...again]
}

/** Parameters as they stand behind a path, with the mark; nothing for those that have no value. */
export function queryText(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? '' : `?${query}`
}
