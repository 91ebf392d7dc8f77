/** The parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  const names = new Set(query.keys())
  return names.size === query.size ? [] : [...names].filter((name) => query.getAll(name).length > 1)
}
