/** Headers and members whose values open doors; the journal keeps only their beginning. */
const secretHeaders = new Set(['access-token', 'authorization', 'cookie'])

/** Request headers as the journal keeps them. */
export function maskedHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers) kept[name] = secretHeaders.has(name) ? masked(value) : value
  return kept
}

/** The first characters, enough to recognise a secret one has, and not much of a short one. */
export function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))
  return `${shown}…(${secret.length} characters)`
}
