import { readings, withReplaced } from './readings.ts'

/** Masks a secret but shows its first characters: enough for its owner to recognise, and little of a short secret. */
export function masked(secret: string): string {
  const shown = secret.slice(0, Math.min(4, Math.floor(secret.length / 3)))
  return `${shown}…(${secret.length} characters)`
}

/** Masks parameters of a path or URL whose names suggest a secret: a credential that is unknown here may be valid
 *  elsewhere. */
export const withoutSecretParameters = (url: string): string => withoutParameters(url, secretName)

/** A URL for a log or a stream: without user and password, and with the values of secret-looking parameters masked. */
export function maskedUrl(url: string): string {
  const anonymous = url.replace(/(?<=^[a-z][a-z\d+.-]*:\/\/)[^/?#@]+(?=@)/i, masked)
  return withoutParameters(anonymous, secretInUrl)
}

/** @param name matches the names of parameters to mask */
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

/** Masks values in a body whose names suggest a secret: in JSON, also nested or cut off, in forms, XML, and literals
 *  of other languages. */
export function withoutSecretMembers(body: string): string {
  // Only in forms are names percent-encoded.
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

/** The place of a secret value, and the quote to put around its mask. */
interface Value {
  readonly from: number
  readonly to: number
  readonly quote?: string
}

/** Whether an apparent name lies inside the value before it. Reading each value to its end would take long. */
const isWithin = (before: Value | undefined, start: number): boolean => start < (before?.to ?? 0)

function withValuesMasked(text: string, values: readonly Value[]): string {
  const secret = values.flatMap(({ from, to, quote = '' }) => {
    const value = text.slice(from, to)
    const isKept = value === '' || words.has(value) || isMasked.test(value)
    return isKept ? [] : [{ from, to, by: `${quote}${masked(value)}${quote}` }]
  })
  return withReplaced(text, secret)
}

/** Matches a value that is masked already. An unquoted value ends at the space. */
const isMasked = /…\(\d+(?: characters\))?$/

/** Values that are never secrets. */
const words = new Set(['true', 'false', 'null', 'undefined', 'None'])

/** Matches the end of a name and the separator before its value. Everything is bounded, so that no text makes the
 *  match slow. */
const naming =
  /(?:token|secret|password|api_?-?key|credential)[\w%.[\]-]{0,40}(?:(\\{0,7}["'])?\s{0,9}[:=>]{1,2}\s{0,9}|"\r?\n\r?\n)/gi

/** The range of a value without its quotes; a value that is cut off ends with the text. */
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

/** The closing quote for an opening one with this number of backslashes before it: quotes inside have more or fewer.
 *  @returns the place of its first backslash, or of the text's end */
function closingQuote(text: string, from: number, quote: string, backslashes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let before = 0
    while (at - before > from && text[at - before - 1] === '\\') before++
    if (before % (2 * (backslashes + 1)) === backslashes) return at - backslashes
  }
  return text.length
}

/** Masks secrets in headers before they are stored. */
export function withoutSecretHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of headers) kept[name] = isSecretHeader(name) ? masked(value) : value
  return kept
}

/** Masks secrets in headers; returns the same object if there are none. */
export function withSecretsMasked(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.keys(headers).some(isSecretHeader) ? withoutSecretHeaders(Object.entries(headers)) : headers
}

function isSecretHeader(name: string): boolean {
  const before = knownHeaders.get(name)
  if (before !== undefined) return before
  const secret = secretName.test(name) || /authorization|cookie/i.test(name)
  // Caches header names, because every request has the same few.
  if (knownHeaders.size < 200) knownHeaders.set(name, secret)
  return secret
}

const knownHeaders = new Map<string, boolean>()

const secretName = /token|secret|password|api_?-?key|credential/i
const secretInUrl = /token|secret|password|key|credential|signature/i
