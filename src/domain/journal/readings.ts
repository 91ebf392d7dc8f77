/** A text in which escape sequences are decoded. */
export interface Reading {
  readonly text: string
  /** Maps an index of `text`, or its end, to the original text. */
  readonly at: (index: number) => number
}

/** The maximum depth of nested escapes, e.g. percent-encoding in a URL in JSON in a JSON text. */
const deepest = 5

/** The readings of a text: as written; with the escapes of URLs, JSON and XML decoded; then with nested escapes
 *  decoded as well. A text without escapes has one reading. */
export function readings(written: string): Reading[] {
  let last: Reading | null = { text: written, at: (index) => index }
  const all: Reading[] = []
  while (last !== null && all.length <= deepest) {
    all.push(last)
    last = read(last)
  }
  return all
}

/** A part of a text, with what replaces it. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Replaces parts of a text. Of overlapping parts it takes the first; of parts with the same start, the longest. */
export function withReplaced(text: string, replacements: readonly Replacement[]): string {
  let kept = ''
  let keptTo = 0
  for (const { from, to, by } of replacements.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < keptTo) continue
    kept += text.slice(keptTo, from) + by
    keptTo = to
  }
  return keptTo === 0 ? text : kept + text.slice(keptTo)
}

/** Matches the escape of one character; in a URL, of one to four bytes of UTF-8. */
const escapes =
  /(?:%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3})|(?:%u|\\u)([\da-f]{4})|\\x([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});|\\(["'\\/bfnrt])|&(amp|lt|gt|quot|apos);/gi

function read({ text, at }: Reading): Reading | null {
  // Most texts have no escapes, and the full search takes several times as long.
  if (!/[%\\&]/.test(text)) return null
  const places: number[] = []
  let meant = ''
  let readTo = 0
  const copyTo = (end: number) => {
    for (let index = readTo; index < end; index++) places.push(at(index))
    meant += text.slice(readTo, end)
  }
  for (const match of text.matchAll(escapes)) {
    const character = meaning(match)
    if (character === null) continue
    copyTo(match.index)
    for (let unit = 0; unit < character.length; unit++) places.push(at(match.index))
    meant += character
    readTo = match.index + match[0].length
  }
  if (readTo === 0) return null
  copyTo(text.length)
  const end = at(text.length)
  return { text: meant, at: (index) => places[index] ?? end }
}

function meaning([whole, unit, byte, hex, decimal, short, name]: readonly (string | undefined)[]):
  | string
  | null {
  const code = unit ?? byte ?? hex
  if (code !== undefined || decimal !== undefined) {
    const point = code === undefined ? Number(decimal) : Number.parseInt(code, 16)
    return point > 0x10ffff ? null : String.fromCodePoint(point)
  }
  if (short !== undefined) return shorts.get(short) ?? short
  if (name !== undefined) return names.get(name) ?? null
  try {
    return decodeURIComponent(whole ?? '')
  } catch {
    return null
  }
}

const shorts = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const names = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
