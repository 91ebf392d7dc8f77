/** The parameters that a query has more than once. */
export function doubled(query: URLSearchParams): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const name of query.keys()) (seen.has(name) ? again : seen).add(name)
  return [...again]
}
