/** The parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  return [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1)
}
