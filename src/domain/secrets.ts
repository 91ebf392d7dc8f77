/** The first characters, enough to recognise a secret one has, and not much of a short one. */
export function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))
  return `${shown}…(${secret.length} characters)`
}

/** A path or URL without the values of parameters whose names say that they are secret: credentials that are nobody's
 *  here may be somebody's elsewhere. */
export function withoutSecretParameters(url: string): string {
  return url.replaceAll(/([?&][^=&#?]*=)([^&#]*)/g, (whole, name: string, value: string) =>
    value !== '' && secretName.test(name) ? `${name}${masked(value)}` : whole,
  )
}

/** JSON without the texts of members whose names say that they are secret. */
export function withoutSecretMembers(json: string): string {
  return json.replaceAll(member, (_, name: string, value: string) => `${name}"${masked(value)}"`)
}

/** Headers as they may be kept. */
export function withoutSecretHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers) kept[name] = isSecretHeader(name) ? masked(value) : value
  return kept
}

function isSecretHeader(name: string): boolean {
  const before = knownHeaders.get(name)
  if (before !== undefined) return before
  const secret = secretName.test(name) || /authorization|cookie/i.test(name)
  // The same few names come with every request.
  if (knownHeaders.size < 200) knownHeaders.set(name, secret)
  return secret
}

const knownHeaders = new Map<string, boolean>()

const secretName = /token|secret|password|api_?-?key|credential/i
// Names are bounded, so that no text makes this slow.
const member =
  /("[^"\\]{0,40}(?:token|secret|password|api_?-?key|credential)[^"\\]{0,40}"\s{0,9}:\s{0,9})"((?:[^"\\]|\\.){1,4096})"/gi
