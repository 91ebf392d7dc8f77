/** What Node's parser would not take, as it is answered and told. */
export interface ParserRefusal {
  readonly status: number
  /** The reason phrase that goes with the status. */
  readonly reason: string
  readonly cause: string
  readonly message: string
  /** As far as the parser had come; empty where that was not far enough. */
  readonly method: string
  readonly path: string
}

/** Puts a parser's error into words.
 *  @param rawPacket the bytes in which it gave up: only the first ones of a request begin with its first line */
export function parserRefusal({
  code = '',
  message,
  rawPacket,
}: {
  code?: string
  message: string
  rawPacket?: Buffer
}): ParserRefusal {
  const first = rawPacket?.subarray(0, 2048).toString('latin1') ?? ''
  const [, method = '', path = ''] = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]\r\n/.exec(first) ?? []
  return { ...(kinds[code] ?? unreadable(message)), method, path }
}

const kinds: Readonly<Record<string, Omit<ParserRefusal, 'method' | 'path'>>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    cause: 'http.headers-too-large',
    message: 'The first line and the headers are larger than 16 KiB together.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: 'Payload Too Large',
    cause: 'http.chunk-extensions-too-large',
    message: 'The extensions of the chunks are larger than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    cause: 'http.too-slow',
    message: 'The request took too long: its headers must be there within 10 s, all of it within 30 s.',
  },
}

/** @param message as Node words it, such as `Parse Error: Invalid header value char` */
function unreadable(message: string) {
  const what = message.replace(/^Parse Error:?\s*/, '')
  return {
    status: 400,
    reason: 'Bad Request',
    cause: 'http.unreadable',
    message: `This is no request that HTTP/1.1 allows${what === '' ? '' : `: ${what}`}.`,
  }
}
