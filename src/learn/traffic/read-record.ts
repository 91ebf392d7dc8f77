import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { fullOrder, worldLists } from '../../domain/fixture/world-lists.ts'
import { check } from '../../domain/text/problems.ts'
import type { Delivery } from '../../domain/webhook/delivery.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import type { Direction, Exchange, Headers, Source } from './exchange.ts'

/** A record of a capture as exchanges, with the kind of capture that has such records. */
export interface ReadRecord {
  readonly format: Format
  readonly exchanges: readonly { readonly exchange: Exchange; readonly direction: Direction }[]
}

export type Format = 'HAR' | 'JSON lines' | 'request log' | 'webhook list' | 'snapshot'

type Fields = Readonly<Record<string, unknown>>

/** Reads one record of a capture: an entry of a HAR, a line, an entry of the emulator's request log, a delivery, or an
 *  order of a snapshot.
 *  @returns a text that says what is wrong with it if it is none of them; null for parts of a snapshot that are no traffic */
export function readRecord(record: unknown, source: Source): ReadRecord | string | null {
  const fields = fieldsOf(record)
  if (isFields(fields.request) && isFields(fields.response)) return fromHar(fields, source)
  if (Array.isArray(fields.attempts) && typeof fields.webhookId === 'string') {
    const attempts = fields.attempts.map((attempt) => fromAttempt(fields, fieldsOf(attempt), source))
    return { format: 'webhook list', exchanges: attempts }
  }
  if (isFields(fields.order) && Array.isArray(fields.history)) return fromSnapshot(record, source)
  if (typeof fields.wallAt === 'number' && Array.isArray(fields.notes)) return fromLog(fields, source)
  if (typeof fields.method === 'string' || isFields(fields.headers)) return fromLine(fields, source)
  if (typeof fields.clientId === 'string' || typeof fields.version === 'string') return null
  return 'is neither a call (`method`, `url`, `headers`, `body`, `status`, `response`, `at`) nor a webhook (`headers`, `body`, `at`)'
}

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fromHar({ request, response, startedDateTime, time }: Fields, source: Source): ReadRecord | string {
  const asked = fieldsOf(request)
  const answer = fieldsOf(response)
  const at = timeOf(startedDateTime)
  if (at === null) return '`startedDateTime` is not a time'
  const place = placeOf(asked.url)
  if (place === null) return '`request.url` is not a URL'
  const post = fieldsOf(asked.postData)
  const content = fieldsOf(answer.content)
  const headers = headersOf(asked.headers)
  const responseHeaders = headersOf(answer.headers)
  const body = bodyOf(post.text, post.encoding, headers)
  return {
    format: 'HAR',
    exchanges: [
      {
        direction: null,
        exchange: {
          ...{ source, at, ...place, headers, responseHeaders },
          ms: numberOf(time),
          method: typeof asked.method === 'string' ? asked.method.toUpperCase() : 'GET',
          body: body ?? formOf(post.params),
          isExact: body !== null,
          status: statusOf(answer.status),
          response: bodyOf(content.text, content.encoding, responseHeaders),
          isAnswered: true,
        },
      },
    ],
  }
}

/** The body of a form that the HAR has as parameters only. */
function formOf(params: unknown): string | null {
  if (!Array.isArray(params) || params.length === 0) return null
  const pairs = params.map((param): [string, string] => [
    String(fieldsOf(param).name),
    String(fieldsOf(param).value ?? ''),
  ])
  return new URLSearchParams(pairs).toString()
}

function fromLine(fields: Fields, source: Source): ReadRecord | string {
  const at = timeOf(fields.at)
  if (at === null) return '`at` is not a time: an ISO 8601 text, or epoch milliseconds'
  const isWebhook = fields.webhook === true || typeof fields.method !== 'string'
  const place = placeOf(fields.url ?? '/')
  if (place === null) return '`url` is not a URL'
  // A log may have it as text. Anything else would count as a request that nobody answered.
  const status = /^\d{1,3}$/.test(String(fields.status)) ? Number(fields.status) : (fields.status ?? null)
  if (status !== null && typeof status !== 'number') return '`status` is no status of HTTP'
  const headers = headersOf(fields.headers)
  const responseHeaders = headersOf(fields.responseHeaders)
  return {
    format: 'JSON lines',
    exchanges: [
      {
        direction: isWebhook ? 'webhook' : null,
        exchange: {
          ...{ source, at, ...place, headers, responseHeaders },
          ms: numberOf(fields.ms),
          method: typeof fields.method === 'string' ? fields.method.toUpperCase() : 'POST',
          body: bodyOf(fields.body, fields.bodyEncoding, headers),
          isExact: typeof fields.body === 'string',
          status: statusOf(status),
          response: bodyOf(fields.response, fields.responseEncoding, responseHeaders),
          isAnswered: fields.status !== undefined,
        },
      },
    ],
  }
}

/** An entry of the emulator's request log. Its time is that of the answer, on the client's clock. */
function fromLog(fields: Fields, source: Source): ReadRecord | string {
  const at = timeOf(fields.at)
  const ms = numberOf(fields.ms)
  const place = placeOf(fields.path)
  if (at === null || place === null) return 'is no entry of the request log: `at` or `path` is wrong'
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  const whole = [fields.body, fields.response].every((value) => !isShortened(value))
  return {
    format: 'request log',
    exchanges: [
      {
        direction: 'call',
        exchange: {
          ...{ source, at: at - (ms ?? 0), ms, ...place },
          method: String(fields.method),
          headers: headersOf(fields.headers),
          body: text(fields.body),
          isExact: whole,
          status: statusOf(fields.status),
          responseHeaders: {},
          response: text(fields.response),
          isAnswered: true,
        },
      },
    ],
  }
}

/** Whether the request log has masked or cut a text. */
const isShortened = (text: unknown): boolean => typeof text === 'string' && /…\s?\(\d+ characters/.test(text)

function fromSnapshot(record: unknown, source: Source): ReadRecord | string {
  const checked = check(worldLists.orders.schema, record)
  if (!checked.ok) return 'is no order of a snapshot of this version of the emulator'
  const { deliveries } = fullOrder(checked.value)
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => fromAttempt({ ...delivery }, { ...attempt }, source)),
  )
  return { format: 'snapshot', exchanges: attempts }
}

/** An attempt of one of the emulator's deliveries. */
function fromAttempt(delivery: Fields, attempt: Fields, source: Source): ReadRecord['exchanges'][number] {
  const { outcome } = attempt
  const text = attempt.bodyText ?? delivery.bodyText ?? delivery.body
  const place = placeOf(attempt.url) ?? { origin: null, path: '/', query: new URLSearchParams() }
  return {
    direction: 'webhook',
    exchange: {
      ...{ source, ...place },
      at: timeOf(attempt.at) ?? 0,
      ms: numberOf(attempt.ms),
      method: 'POST',
      headers: headersOf(attempt.requestHeaders),
      body: typeof text === 'string' ? text : null,
      isExact: typeof text === 'string',
      status: statusOf(attempt.status),
      responseHeaders: {},
      response: typeof attempt.responseBody === 'string' ? attempt.responseBody : null,
      isAnswered: outcome !== ('unknown' satisfies Delivery['attempts'][number]['outcome']),
    },
  }
}

/** A time: ISO 8601, or a number of seconds or milliseconds since 1970. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0)
    return Math.round(value < 1e11 ? value * 1000 : value)
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : at
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null

/** A status of HTTP; captures write 0 if no answer came. */
const statusOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 100 && value <= 599 ? value : null

function placeOf(url: unknown): Pick<Exchange, 'origin' | 'path' | 'query'> | null {
  if (typeof url !== 'string') return null
  const isPath = url.startsWith('/')
  const base = isPath ? 'http://path.invalid' : undefined
  if (!URL.canParse(url, base)) return null
  const { origin, pathname, searchParams } = new URL(url, base)
  return { origin: isPath ? null : origin, path: pathname, query: searchParams }
}

/** Headers as an object, or as a list of names and values. */
function headersOf(value: unknown): Headers {
  const pairs = Array.isArray(value)
    ? value.map((each) => [fieldsOf(each).name, fieldsOf(each).value] as const)
    : Object.entries(fieldsOf(value))
  const headers = new Map<string, string>()
  for (const [name, one] of pairs) {
    const text = Array.isArray(one) ? one.join(', ') : one
    if (typeof name !== 'string' || (typeof text !== 'string' && typeof text !== 'number')) continue
    const key = name.toLowerCase()
    const before = headers.get(key)
    headers.set(key, before === undefined ? String(text) : `${before}, ${text}`)
  }
  return Object.fromEntries(headers)
}

/** A larger body is no body of this service. */
const mostCharacters = 1024 * 1024

const decompress = new Map<string, (bytes: Buffer) => Buffer>([
  ['gzip', (bytes) => gunzipSync(bytes, { maxOutputLength: mostCharacters })],
  ['deflate', (bytes) => inflateSync(bytes, { maxOutputLength: mostCharacters })],
  ['br', (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostCharacters })],
])

/** The text of a body: decoded from base64 and decompressed if it still is. JSON that the capture has parsed becomes
 *  text again. Null for none, and for one that cannot be read. */
function bodyOf(value: unknown, encoding: unknown, headers: Headers): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') return JSON.stringify(value)
  if (value.length > 2 * mostCharacters) return null
  if (encoding !== 'base64') return value
  const bytes = Buffer.from(value, 'base64')
  const unpack = decompress.get((headers['content-encoding'] ?? '').trim().toLowerCase())
  try {
    return (unpack?.(bytes) ?? bytes).toString('utf8')
  } catch (error) {
    // Most captures decode a body but keep its header.
    if (error instanceof Error && 'code' in error) return bytes.toString('utf8')
    throw error
  }
}
