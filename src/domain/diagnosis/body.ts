import type { Cause } from './causes.ts'
import { isPlaceholder } from './mistake.ts'

/** A request body that the service has refused. */
export interface RefusedBody {
  /** The received text; bytes that are not UTF-8 appear as Latin-1. */
  readonly text: string
  readonly utf8: boolean
  readonly contentType: string | undefined
  /** The message of the JSON parser, as the answer has it. */
  readonly problem: string
}

/** A body, its beginning if it is long, and its text without quoted parts. */
interface Looked extends RefusedBody {
  readonly start: string
  readonly skeleton: string
}

/** The maximum length of the part of a body that is examined. */
const longestCharacters = 64 * 1024

type Row = readonly [cause: Cause, words: string, fits: (body: Looked) => boolean]

const rows: readonly Row[] = [
  ['body.empty', 'it is empty; send a JSON object', ({ text }) => text.trim() === ''],
  ['body.compressed', 'it is compressed; send it uncompressed', isCompressed],
  ['body.utf-16', 'it is UTF-16 or UTF-32; send UTF-8', isWide],
  [
    'body.byte-order-mark',
    'the JSON starts with a byte order mark; write UTF-8 without it',
    ({ start }) => start.startsWith('\ufeff') || start.startsWith('\xef\xbb\xbf'),
  ],
  ['body.not-utf-8', 'it is not UTF-8, most likely Latin-1 or Windows-1252; send UTF-8', ({ utf8 }) => !utf8],
  ['body.multipart', 'it is a multipart form; send JSON', isMultipart],
  ['body.form-encoded', 'it is form-encoded; send JSON', ({ start }) => isForm(start)],
  ['body.xml', 'it is XML or HTML; send JSON', ({ start }) => /^\s*<[?!/\w]/.test(start)],
  [
    'body.placeholder',
    'it is a placeholder; serialize the object',
    ({ start }) => isPlaceholder(start.trim()),
  ],
  ['body.json-in-string', 'it is a JSON string that contains the JSON; serialize only once', isDoubled],
  ['body.base64', 'it is the base64 of JSON; send the JSON itself', isBase64],
  ['body.too-deep', 'use fewer levels', ({ problem }) => problem.startsWith('is nested deeper')],
  ['body.too-many-values', 'send fewer', ({ problem }) => problem.startsWith('has more than')],
  ['body.not-an-object', 'send one JSON object', ({ problem }) => problem === 'must be a JSON object'],
  [
    'body.line-end-in-text',
    'a string contains an unescaped line break or another control character; write a line break as \\n',
    ({ problem }) => problem.includes('Bad control character'),
  ],
  [
    'body.comments',
    'JSON does not allow comments',
    ({ skeleton }) => /\/[/*]|(?:^|\n)[ \t]*#/.test(skeleton),
  ],
  [
    'body.trailing-comma',
    'JSON does not allow a comma before a closing bracket',
    ({ skeleton }) => /,\s*[}\]]/.test(skeleton),
  ],
  [
    'body.literals',
    'JSON does not have NaN, Infinity, undefined, True, False or None',
    ({ skeleton }) => /[:[,]\s*-?(?:NaN|Infinity|undefined|True|False|None|NULL|nil)\b/.test(skeleton),
  ],
  [
    'body.quotes',
    'JSON requires double quotes around names and strings',
    ({ skeleton }) =>
      /[{,]\s*(?:[\p{L}_$][\w$]*\s*:|['\u2018\u2019\u201c\u201d`])|:\s*['\u2018\u201c`]/u.test(skeleton),
  ],
  [
    'body.trailing-text',
    'there is extra content after the JSON',
    ({ problem }) => problem.includes('after JSON'),
  ],
  ['body.incomplete', 'the JSON is incomplete', endsEarly],
]

/** Finds the cause why a body is invalid. */
export function diagnoseBody(body: RefusedBody): { cause: Cause; words: string } {
  const start = body.text.slice(0, longestCharacters)
  const looked = { ...body, start, skeleton: withoutTexts(start) }
  const [cause, words] =
    rows.find(([, , fits]) => fits(looked)) ?? (['body.syntax', 'send a JSON object'] as const)
  return { cause, words }
}

/** Diagnoses a Content-Type other than JSON, or a Content-Encoding, and whether the body would be valid JSON. */
export function diagnoseContentType(
  contentType: string | undefined,
  text: string,
  contentEncoding?: string,
): { cause: Cause; words: string } {
  if (isCompression(contentEncoding))
    return {
      cause: 'body.compressed',
      words: 'it is compressed according to its Content-Encoding; send it uncompressed',
    }
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data')
    return { cause: 'body.multipart', words: 'it is a multipart form; send JSON' }
  const json = isJsonObject(text.slice(0, longestCharacters))
  if (type === 'application/x-www-form-urlencoded' && !json)
    return { cause: 'body.form-encoded', words: 'it is form-encoded; send JSON' }
  const verdict = json
    ? 'the body is JSON, only its Content-Type is wrong'
    : 'the body is not a JSON object either'
  const sent = type === '' ? 'there is none' : `it is ${JSON.stringify(type.slice(0, 100))}`
  return {
    cause: 'body.content-type',
    words: `send \`Content-Type: application/json\`; ${sent} (${verdict})`,
  }
}

/** Whether the JSON ends early. Some messages of the parser name the position where it stopped. */
function endsEarly({ text, problem }: Looked): boolean {
  const place = /position (\d+)/.exec(problem)?.[1]
  const atEnd = place !== undefined && Number(place) >= text.trimEnd().length
  return atEnd || /end of JSON input|Unterminated/.test(problem)
}

/** Whether the bytes begin like gzip or zstd; zlib's two bytes are rare in texts. */
function isCompressed({ start, utf8 }: Looked): boolean {
  return (
    start.startsWith('\x1f\x8b') ||
    start.startsWith('\x28\xb5\x2f\xfd') ||
    (!utf8 && ['\x78\x01', '\x78\x5e', '\x78\x9c', '\x78\xda'].some((magic) => start.startsWith(magic)))
  )
}

/** Whether a Content-Encoding names a compression. Many clients send a charset there, which is harmless. */
export const isCompression = (contentEncoding: string | null | undefined): boolean =>
  /\b(gzip|deflate|br|zstd|compress|dcb|dcz)\b/i.test(contentEncoding ?? '')

/** Whether a text is UTF-16: it has a mark, or every other byte is zero. */
function isWide({ start }: Looked): boolean {
  return /^(?:\xff\xfe|\xfe\xff)/.test(start) || /^(?:[^\0]\0|\0[^\0]|\0\0\0)/.test(start)
}

function isMultipart({ start, contentType }: Looked): boolean {
  return /^multipart\//i.test(contentType ?? '') || /^--[^\r\n]{1,100}\r?\ncontent-disposition:/i.test(start)
}

const isForm = (start: string) => /^\s*[\w.\-[\]%+]{1,100}=[^\s{]*$/.test(start) && !start.includes('"')

function isDoubled({ start, problem }: Looked): boolean {
  if (problem !== 'must be a JSON object') return false
  try {
    const inner: unknown = JSON.parse(start)
    return typeof inner === 'string' && isJsonObject(inner)
  } catch {
    return false
  }
}

function isBase64({ start }: Looked): boolean {
  const text = start.trim()
  return /^[\w+/-]{8,}=*$/.test(text) && Buffer.from(text, 'base64').toString('latin1').startsWith('{')
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Removes quoted texts. An unfinished text ends with the body: searching its end from each quote would take
 *  seconds. */
const withoutTexts = (text: string) => text.replaceAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)/g, '""')
