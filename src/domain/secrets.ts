/** The first characters, enough to recognise a secret one has, and not much of a short one. */
export function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))
  return `${shown}…(${secret.length} characters)`
}

/** A path or URL without the values of parameters whose names say that they are secret: credentials that are nobody's
 *  here may be somebody's elsewhere. */
export function withoutSecretParameters(url: string): string {
  return url.replaceAll(/([?&])([^=&#?]*)=([^&#]*)/g, (whole, mark: string, name: string, value: string) =>
    value !== '' && secretName.test(decoded(name)) ? `${mark}${name}=${masked(value)}` : whole,
  )
}

function decoded(name: string): string {
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** A body without what stands behind names that say that it is secret: in JSON, in JSON within a text of JSON, and in
 *  whatever else was sent in place of it: a form, a literal of another language, XML, JSON that breaks off. */
export function withoutSecretMembers(body: string): string {
  // Forms alone have names that are spelt with %.
  const form = /^[\w.%[\]-]{1,100}=/.test(body) ? withoutSecretParameters(`&${body}`).slice(1) : body
  if (!secretName.test(form)) return form
  let kept = ''
  let keptTo = 0
  for (const match of form.matchAll(naming)) {
    const start = match.index + match[0].length
    if (start < keptTo) continue
    const [from, to] = valueAt(form, start)
    const value = form.slice(from, to)
    if (value === '' || words.has(value) || isMasked.test(value)) continue
    const quote = from === start && match[1] !== undefined ? match[1] : ''
    kept += `${form.slice(keptTo, from)}${quote}${masked(value)}${quote}`
    keptTo = to
  }
  return keptTo === 0 ? form : kept + form.slice(keptTo)
}

/** By whoever masked it before; what is not in quotes goes up to the space. */
const isMasked = /…\(\d+(?: characters\))?$/

/** What nobody has as a secret. */
const words = new Set(['true', 'false', 'null', 'undefined', 'None'])

/** The end of a name and what stands between it and its value. All is bounded, so that no text makes this slow. */
const naming =
  /(?:token|secret|password|api_?-?key|credential)[\w%.[\]-]{0,40}(?:(\\{0,7}["'])?\s{0,9}[:=>]{1,2}\s{0,9}|"\r?\n\r?\n)/gi

/** Where a value is, without its quotes; one that breaks off goes to the end. */
function valueAt(text: string, start: number): readonly [from: number, to: number] {
  const [opening = ''] = match(/\\{0,7}["'`]/y, text, start)
  const from = start + opening.length
  if (opening === '') return [from, from + (match(bare, text, from)[0]?.length ?? 0)]
  return [from, closingQuote(text, from, opening.slice(-1), opening.length - 1)]
}

const bare = /[^\s&,;"'`<>{}[\]]*/y

function match(pattern: RegExp, text: string, at: number): readonly string[] {
  pattern.lastIndex = at
  return pattern.exec(text) ?? []
}

/** Where a quote closes that was opened with so many backslashes before it: within it, more or fewer belong to it.
 *  @returns the place of its first backslash, or of the text's end */
function closingQuote(text: string, from: number, quote: string, backslashes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let before = 0
    while (at - before > from && text[at - before - 1] === '\\') before++
    if (before % (2 * (backslashes + 1)) === backslashes) return at - backslashes
  }
  return text.length
}

/** Headers as they may be kept. */
export function withoutSecretHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers) kept[name] = isSecretHeader(name) ? masked(value) : value
  return kept
}

/** The same of headers by name; those that have no secret are answered as they are. */
export function withSecretsMasked(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.keys(headers).some(isSecretHeader) ? withoutSecretHeaders(Object.entries(headers)) : headers
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
