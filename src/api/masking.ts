/** Headers and members whose values open doors; the journal keeps only their beginning. */
const secretHeaders = new Set(['access-token', 'authorization', 'cookie'])

/** Request headers as the journal keeps them. */
export function maskedHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers) kept[name] = secretHeaders.has(name) ? masked(value) : value
  return kept
}

/** The first four characters, enough to recognise a secret one has. */
export const masked = (secret: string): string => `${secret.slice(0, 4)}…(${secret.length} characters)`
