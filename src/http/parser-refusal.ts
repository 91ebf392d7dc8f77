import type { IncomingMessage } from 'node:http'
import type { Cause } from '../domain/diagnosis/causes.ts'

/** The answer and the record for a request that Node's parser rejected. */
export interface ParserRefusal {
  readonly status: number
  readonly reason: string
  readonly cause: Cause
  readonly message: string
  /** The request method, as far as the parser had read it; else empty. */
  readonly method: string
  readonly path: string
  /** Header names and values in alternation, as received. */
  readonly rawHeaders: readonly string[]
}

/** An error of Node's parser; `rawPacket` are the bytes at which it failed. */
export interface ParserError {
  readonly code?: string
  readonly message: string
  readonly rawPacket?: Buffer
}

/** The latest request on a connection before its parser failed. */
export type RequestBefore = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'headers' | 'complete'>

type Kind = Pick<ParserRefusal, 'status' | 'reason' | 'cause' | 'message'>
type Named = Pick<ParserRefusal, 'method' | 'path' | 'rawHeaders'>

/** Explains an error of Node's HTTP parser.
 *  @param before the latest request on the connection; if it is incomplete, the error is in its body */
export function parserRefusal(error: ParserError, before?: RequestBefore): ParserRefusal {
  const first = error.rawPacket?.subarray(0, 2048).toString('latin1') ?? ''
  const known = kindOf(error.code ?? '', first)
  if (before?.complete === false) return { ...(known ?? unreadable(error.message)), ...nameOf(before) }
  const inPacket = nameIn(first)
  // One TCP packet may contain a complete request and then the invalid one.
  const named = inPacket.method === before?.method && inPacket.path === before.url ? unnamed : inPacket
  if (known === undefined && named.method === '' && before !== undefined && hasBody(before))
    return { ...surplus(before), ...named }
  return { ...(known ?? unreadable(error.message)), ...named }
}

const nameOf = ({ method = '', url = '', rawHeaders }: RequestBefore): Named => ({
  method,
  path: url,
  rawHeaders,
})

/** Reads method and path from bytes that begin a request. */
function nameIn(first: string): Named {
  const [, method = '', path = ''] = /^([A-Z]{1,20}) (\S+) HTTP\/\d(?:\.\d)?\r?\n/.exec(first) ?? []
  return path === '*' ? unnamed : { method, path, rawHeaders: [] }
}

const unnamed: Named = { method: '', path: '', rawHeaders: [] }

const hasBody = ({ headers }: RequestBefore): boolean => Number(headers['content-length'] ?? 0) > 0

/** Explains surplus bytes: a caller that counts characters sends more bytes than announced, where the next request
 *  should begin. */
function surplus({ method, url = '' }: RequestBefore): Kind {
  const path = url.replace(/\?.*$/s, '').slice(0, 200)
  return {
    ...badRequest,
    cause: 'http.body-length',
    message: `More bytes came after the body of ${method} ${path} than its Content-Length says; Content-Length counts bytes, not characters.`,
  }
}

function kindOf(code: string, first: string): Kind | undefined {
  // These two bytes begin a TLS handshake.
  if (first.startsWith('\x16\x03')) return tls
  if (first.startsWith('PRI * HTTP/2.0')) return http2
  return kinds.find(([codes]) => codes.test(code))?.[1]
}

const badRequest = { status: 400, reason: 'Bad Request' } as const

const tls: Kind = {
  ...badRequest,
  cause: 'http.tls',
  message: 'This port takes plain HTTP, but the client started TLS. Use http:// in the base URL.',
}

const http2: Kind = {
  ...badRequest,
  cause: 'http.http2',
  message:
    'The emulator supports HTTP/1.1, but the client used HTTP/2 without negotiating it ("prior knowledge").',
}

/** Explanations by Node's error code; the first match counts. */
const kinds: readonly (readonly [codes: RegExp, kind: Kind])[] = [
  [
    /^HPE_HEADER_OVERFLOW$/,
    {
      status: 431,
      reason: 'Request Header Fields Too Large',
      cause: 'http.headers-too-large',
      message: 'The request line and the headers together are larger than 16 KiB.',
    },
  ],
  [
    /^HPE_CHUNK_EXTENSIONS_OVERFLOW$/,
    {
      status: 413,
      reason: 'Payload Too Large',
      cause: 'http.chunk-extensions-too-large',
      message: 'The chunk extensions of the body are larger than 16 KiB.',
    },
  ],
  [
    /^ERR_HTTP_REQUEST_TIMEOUT$/,
    {
      status: 408,
      reason: 'Request Timeout',
      cause: 'http.too-slow',
      message:
        'The request took too long: the limit is 10 s for its headers, and 30 s for the whole request.',
    },
  ],
  [
    /CONTENT_LENGTH|TRANSFER_ENCODING|CHUNK_SIZE/,
    {
      ...badRequest,
      cause: 'http.body-length',
      message:
        'Invalid body length: send one numeric Content-Length, or `Transfer-Encoding: chunked` with valid chunks, not both.',
    },
  ],
  [
    /^HPE_INVALID_URL$/,
    {
      ...badRequest,
      cause: 'http.target',
      message:
        'The request target contains an invalid character. Percent-encode all characters outside ASCII, as UTF-8 (%C3%A9).',
    },
  ],
  [
    /^HPE_INVALID_VERSION$/,
    {
      ...badRequest,
      cause: 'http.version',
      message: 'The emulator supports HTTP/1.1, but the request uses another version.',
    },
  ],
  [
    /HEADER_TOKEN|HEADER_CHAR|LF_EXPECTED|CR_EXPECTED/,
    {
      ...badRequest,
      cause: 'http.header',
      message: 'A header contains an invalid character or a line break.',
    },
  ],
  [
    /^HPE_INVALID_EOF_STATE$/,
    {
      ...badRequest,
      cause: 'http.incomplete',
      message: 'The connection closed in the middle of the request.',
    },
  ],
]

/** Explains a parser error that has no explanation of its own.
 *  @param message Node's error message, such as `Parse Error: Invalid method encountered` */
function unreadable(message: string): Kind {
  const what = message.replace(/^Parse Error:?\s*/, '')
  return {
    ...badRequest,
    cause: 'http.unreadable',
    message: `This is not a valid HTTP/1.1 request${what === '' ? '' : `: ${what}`}.`,
  }
}
