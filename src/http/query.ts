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
