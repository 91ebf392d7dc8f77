import { EmulatorError } from './errors.ts'
import { ticked } from './issue-words.ts'
import {
  backslash,
  closingBrace,
  closingBracket,
  colon,
  comma,
  openingBrace,
  openingBracket,
  quote,
} from './json-text.ts'

// Reads a large JSON document in pieces: only requested parts are decoded, and other work runs between two pieces. The
// generators yield `null` where they have found nothing yet.

const space = 0x20
const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d

/** The position of a value in the bytes of a document; `end` is exclusive. */
export interface JsonPiece {
  readonly start: number
  readonly end: number
}

/** The limits of a document that is parsed in pieces. */
export interface PieceLimits {
  readonly levels: number
  /** The number of values in one piece: parsing more at once would delay all other requests. */
  readonly values: number
}

/** The maximum number of fields in an object; no known document has more. */
const mostMembers = 100

/** The positions of the fields of a document's outermost object. Lists are too large to parse at once: see
 *  `elementsOf`.
 *  @throws not_json */
export function* membersIn(
  bytes: Uint8Array,
  limits: PieceLimits,
): Generator<null, ReadonlyMap<string, JsonPiece>> {
  const members = new Map<string, JsonPiece>()
  const open = yield* beyondSpace(bytes, 0)
  if (bytes[open] !== openingBrace) throw notJson('must be a JSON object')
  let at = yield* beyondSpace(bytes, open + 1)
  while (bytes[at] !== closingBrace || members.size > 0) {
    if (bytes[at] !== quote) throw unexpected(bytes, at, 'the name of a field')
    const nameEnd = yield* endOfValue(bytes, at, limits, 'the name of a field')
    const name = String(parsed(bytes, { start: at, end: nameEnd }, 'the name of a field'))
    const colonAt = yield* beyondSpace(bytes, nameEnd)
    if (bytes[colonAt] !== colon) throw unexpected(bytes, colonAt, 'a colon')
    const start = yield* beyondSpace(bytes, colonAt + 1)
    const values = bytes[start] === openingBracket ? Infinity : limits.values
    const end = yield* endOfValue(bytes, start, { ...limits, values }, name, 1)
    if (members.has(name)) throw notJson(`has the field ${ticked(name)} twice`)
    if (members.size === mostMembers) throw notJson(`has more than ${mostMembers} fields`)
    members.set(name, { start, end })
    at = yield* beyondSpace(bytes, end)
    if (bytes[at] === closingBrace) break
    if (bytes[at] !== comma) throw unexpected(bytes, at, 'a comma or a closing brace')
    at = yield* beyondSpace(bytes, at + 1)
  }
  const rest = yield* beyondSpace(bytes, at + 1)
  if (rest < bytes.length) throw unexpected(bytes, rest, 'the end')
  return members
}

/** Yields the elements of a JSON list one by one.
 *  @param name the name of the list, for errors
 *  @throws not_json */
export function* elementsOf(
  bytes: Uint8Array,
  list: JsonPiece,
  limits: PieceLimits,
  name: string,
): Generator<JsonPiece | null, void> {
  let at = yield* beyondSpace(bytes, list.start + 1)
  if (bytes[at] === closingBracket) return
  for (let index = 0; ; index++) {
    const end = yield* endOfValue(bytes, at, limits, `${name}[${index}]`, 2)
    yield { start: at, end }
    at = yield* beyondSpace(bytes, end)
    if (bytes[at] === closingBracket) return
    if (bytes[at] !== comma) throw unexpected(bytes, at, 'a comma or a closing bracket')
    at = yield* beyondSpace(bytes, at + 1)
  }
}

export const isList = (bytes: Uint8Array, { start }: JsonPiece): boolean => bytes[start] === openingBracket

/** Returns the text of a piece of JSON. */
export const textIn = (bytes: Uint8Array, { start, end }: JsonPiece): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

/** Parses a piece of JSON.
 *  @param place the place of the piece, for errors
 *  @throws not_json */
export function parsed(bytes: Uint8Array, piece: JsonPiece, place: string): unknown {
  try {
    return JSON.parse(textIn(bytes, piece))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(`is not JSON (${place}, from byte ${piece.start}: ${error.message})`)
  }
}

/** The number of bytes that are scanned in one turn of the event loop, which takes a few milliseconds. */
const bytesAtOnce = 1024 * 1024

/** Finds the end of a JSON value by its brackets and quotes, without validating the value.
 *  @param outer the number of levels around the value */
function* endOfValue(
  bytes: Uint8Array,
  start: number,
  { levels, values }: PieceLimits,
  place: string,
  outer = 0,
): Generator<null, number> {
  let depth = 0
  let found = 1
  let isText = false
  let pause = start + bytesAtOnce
  for (let at = start; at < bytes.length; at++) {
    if (at >= pause) {
      pause = at + bytesAtOnce
      yield null
    }
    if (isText) {
      const stop = Math.min(pause, bytes.length)
      while (at < stop && bytes[at] !== quote && bytes[at] !== backslash) at += 1
      if (bytes[at] === backslash) at += 1
      else if (bytes[at] === quote) {
        isText = false
        if (depth === 0) return at + 1
      } else at -= 1
      continue
    }
    const byte = bytes[at]
    switch (byte) {
      case quote:
        if (depth === 0 && at > start) return at
        isText = true
        break
      case openingBrace:
      case openingBracket:
        if (depth === 0 && at > start) return at
        depth += 1
        found += 1
        if (outer + depth > levels) throw notJson(`is nested deeper than ${levels} levels`)
        break
      case closingBrace:
      case closingBracket:
        if (depth === 0) return at
        depth -= 1
        if (depth === 0) return at + 1
        break
      case comma:
        if (depth === 0) return at
        found += 1
        if (found > values) throw notJson(`has more than ${values} values in ${place}`)
        break
      case colon:
      case space:
      case tab:
      case newline:
      case carriageReturn:
        if (depth === 0) return at
    }
  }
  if (depth > 0 || isText) throw notJson(`ends in the middle of ${place}`)
  return bytes.length
}

function* beyondSpace(bytes: Uint8Array, start: number): Generator<null, number> {
  let pause = start + bytesAtOnce
  for (let at = start; at < bytes.length; at++) {
    if (at >= pause) {
      pause = at + bytesAtOnce
      yield null
    }
    const byte = bytes[at]
    if (byte !== space && byte !== newline && byte !== carriageReturn && byte !== tab) return at
  }
  return bytes.length
}

function unexpected(bytes: Uint8Array, at: number, wanted: string): EmulatorError {
  const byte = bytes[at]
  if (byte === undefined) return notJson(`ends where ${wanted} must follow`)
  const found = byte > 0x20 && byte < 0x7f ? `\`${String.fromCharCode(byte)}\`` : 'something else'
  return notJson(`is not JSON (${found} at byte ${at}, where ${wanted} must follow)`)
}

const notJson = (problem: string) => new EmulatorError('not_json', { problem })
