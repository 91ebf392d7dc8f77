import { readings, withReplaced } from './readings.ts'

/** The first characters, enough to recognise a secret one has, and not much of a short one. */
export function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))
  return `${shown}…(${secret.length} characters)`
}

/** A path or URL without the values of parameters whose names say that they are secret: credentials that are nobody's
 *  here may be somebody's elsewhere. */
export const withoutSecretParameters = (url: string): string => withoutParameters(url, secretName)

/** A URL for a log or a stream, without what only its receiver needs to know: user, password, and the values of
 *  parameters that are called token, key, signature or the like. */
export function maskedUrl(url: string): string {
  const anonymous = url.replace(/(?<=^[a-z][a-z\d+.-]*:\/\/)[^/?#@]+(?=@)/i, masked)
  return withoutParameters(anonymous, secretInUrl)
}

/** @param name of parameters whose values are masked */
function withoutParameters(url: string, name: RegExp): string {
  if (!/[?&]/.test(url) && !url.includes('%')) return url
  const found = readings(url).flatMap(({ text, at }) => {
    const values: Value[] = []
    for (const { 0: naming, 1: called = '', index } of text.matchAll(/[?&]([^=&#?]*)=/g)) {
      const from = at(index + naming.length)
      if (isWithin(values.at(-1), from) || !name.test(called)) continue
      values.push({ from, to: from + (match(/[^&#]*/y, url, from)[0]?.length ?? 0) })
    }
    return values
  })
  return withValuesMasked(url, found)
}

/** A body without what stands behind names that say that it is secret: in JSON, in JSON within a text of JSON, and in
 *  whatever else was sent in place of it: a form, a literal of another language, XML, JSON that breaks off. */
export function withoutSecretMembers(body: string): string {
  // Forms alone have names that are spelt with %.
  const form = /^[\w.%[\]-]{1,100}=/.test(body) ? withoutSecretParameters(`&${body}`).slice(1) : body
  const found = readings(form).flatMap(({ text, at }) => {
    if (!secretName.test(text)) return []
    const values: Value[] = []
    for (const { 0: name, 1: quote, index } of text.matchAll(naming)) {
      const start = at(index + name.length)
      if (isWithin(values.at(-1), start)) continue
      const [from, to] = valueAt(form, start)
      values.push({ from, to, quote: from === start && quote !== undefined ? quote : '' })
    }
    return values
  })
  return withValuesMasked(form, found)
}

/** Where a secret value stands, and the quote that is to stand around what masks it. */
interface Value {
  readonly from: number
  readonly to: number
  readonly quote?: string
}

/** Whether what looks like a name belongs to the value before it. Reading each of them to its end would take long. */
const isWithin = (before: Value | undefined, start: number): boolean => start < (before?.to ?? 0)

function withValuesMasked(text: string, values: readonly Value[]): string {
  const secret = values.flatMap(({ from, to, quote = '' }) => {
    const value = text.slice(from, to)
    const isKept = value === '' || words.has(value) || isMasked.test(value)
    return isKept ? [] : [{ from, to, by: `${quote}${masked(value)}${quote}` }]
  })
  return withReplaced(text, secret)
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
const secretInUrl = /token|secret|password|key|credential|signature/i
