import type { Cause } from './causes.ts'

/** What came and was no request: the parser's code and words, and the bytes it had last. */
export interface Unparsed {
  /** Node's code, e.g. `HPE_HEADER_OVERFLOW`. */
  readonly code: string
  readonly reason: string
  readonly bytes: Buffer
}

/** How it is answered, and what the journal says. */
export interface UnparsedVerdict {
  readonly status: 400 | 408 | 413 | 431
  readonly cause: Cause
  readonly message: string
}

type Row = readonly [fits: (unparsed: Unparsed) => boolean, verdict: UnparsedVerdict]

const rows: readonly Row[] = [
  [
    ({ code }) => code === 'ERR_HTTP_REQUEST_TIMEOUT',
    {
      status: 408,
      cause: 'http.timeout',
      message: 'The request did not arrive in time: its headers within 10 s, all of it within 30 s.',
    },
  ],
  [
    ({ code }) => code === 'HPE_HEADER_OVERFLOW',
    { status: 431, cause: 'http.header-overflow', message: 'The headers are larger than 16 KiB.' },
  ],
  [
    ({ code }) => code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    {
      status: 413,
      cause: 'http.bad-request',
      message: 'The extensions of the chunks are larger than 16 KiB.',
    },
  ],
  [
    // A handshake record (22) of TLS 1.x.
    ({ bytes }) => bytes[0] === 0x16 && bytes[1] === 0x03,
    {
      status: 400,
      cause: 'http.tls',
      message: 'This port speaks plain HTTP, and TLS came. Use http:// in the base URL.',
    },
  ],
  [
    ({ bytes }) => bytes.subarray(0, 14).toString('latin1') === 'PRI * HTTP/2.0',
    {
      status: 400,
      cause: 'http.http2',
      message: 'This port speaks HTTP/1.1, and HTTP/2 came. Switch off its "prior knowledge" in the client.',
    },
  ],
  [
    ({ code, reason }) =>
      /CONTENT_LENGTH|TRANSFER_ENCODING/.test(code) || /content-length|transfer-encoding/i.test(reason),
    {
      status: 400,
      cause: 'http.content-length',
      message:
        'The length of the body is told wrong: Content-Length once and as a number, or Transfer-Encoding: chunked, not both.',
    },
  ],
  [
    ({ code }) => /HEADER_TOKEN|LF_EXPECTED|CR_EXPECTED|HEADER/.test(code),
    {
      status: 400,
      cause: 'http.header',
      message: 'A header has a character or a line end that it may not have.',
    },
  ],
  [
    ({ code }) => code === 'HPE_INVALID_EOF_STATE',
    { status: 400, cause: 'http.incomplete', message: 'The connection ended in the middle of the request.' },
  ],
  [
    ({ code }) => code === 'HPE_INVALID_HOST' || code === 'host',
    {
      status: 400,
      cause: 'http.host',
      message: 'The header Host must be there once, with a host name in it.',
    },
  ],
]

/** What was wrong with something that is no request. */
export function diagnoseUnparsed(unparsed: Unparsed): UnparsedVerdict {
  const known = rows.find(([fits]) => fits(unparsed))?.[1]
  const message = `What came is no HTTP/1.1 request: ${unparsed.reason.slice(0, 200) || unparsed.code}.`
  return known ?? { status: 400, cause: 'http.bad-request', message }
}

/** Method and path of what begins like a request; nothing of what does not. */
export function beginningOf(bytes: Buffer): { method: string; path: string } {
  const line = bytes.subarray(0, longestLine).toString('latin1').split(/\r?\n/, 1)[0] ?? ''
  const [, method = '', path = ''] = /^([A-Z]{1,20}) (\S*)/.exec(line) ?? []
  return { method, path }
}

const longestLine = 2 * 1024
