import type { Wire } from './raw-http.ts'

/** A request that no honest client sends, and what it must be answered with. */
export interface HostileRequest {
  readonly name: string
  /** The API whose error body is expected; null for none. */
  readonly api: 'v1' | 'control' | 'page' | null
  readonly wire: Wire
  /** The statuses that are right. */
  readonly statuses: readonly number[]
}

const mebibyte = 1024 * 1024
const host = 'Host: 127.0.0.1\r\n'
const token = 'access-token: demo-token\r\n'
const json = 'Content-Type: application/json\r\n'

/** The places that take a body, with their API. */
const posts = [
  ['v1', '/v1/client/checkout/create-order'],
  ['v1', '/v1/client/simulate-webhook'],
  ['control', '/_emulator/clients'],
  ['control', '/_emulator/access-token'],
] as const

/** Places that are read. */
const gets = [
  ['v1', '/v1/client/orders'],
  ['control', '/_emulator/clients'],
  ['page', '/pay/some-token'],
] as const

/** All of them. */
export function hostileRequests(): HostileRequest[] {
  return [
    ...posts.flatMap(withBodies),
    ...posts.flatMap(badlyFramed),
    ...gets.flatMap(withHeads),
    ...targets(),
  ]
}

function withBodies([api, path]: (typeof posts)[number]): HostileRequest[] {
  const with413 = (name: string, wire: Wire) => ({ name: `${path}: ${name}`, api, wire, statuses: [413] })
  const with400 = (name: string, body: string | Buffer) => ({
    name: `${path}: ${name}`,
    api,
    wire: sized(path, body),
    statuses: [400, 401],
  })
  return [
    with413('a body of 1 MiB and a byte', sized(path, `{"a":"${'x'.repeat(mebibyte - 7)}"}`)),
    with413('a body that announces 10 GB', [`${head(path)}Content-Length: 10000000000\r\n\r\n{`]),
    with413('a body that announces 10 GB and waits for leave', [
      `${head(path)}Expect: 100-continue\r\nContent-Length: 10000000000\r\n\r\n`,
    ]),
    with413('chunks that come to more than 1 MiB', chunked(path, Array(20).fill('x'.repeat(65_536)))),
    with400('lists 100,000 levels deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    with400('objects 100,000 levels deep', `{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
    with400('100,000 opening brackets and nothing else', '['.repeat(100_000)),
    with400('65 levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`),
    with400('100,000 unknown fields', `{${numbered(100_000, (n) => `"${n.toString(36)}":1`)}}`),
    with400('20,000 unknown fields', `{${numbered(19_000, (n) => `"field${n}":1`)}}`),
    with400('a list of 500,000', `{"keep":[${'0,'.repeat(499_999)}0]}`),
    with400('one field 60,000 times', `{${'"clientId":1,'.repeat(59_999)}"clientId":1}`),
    with400('a field name of 1 MB', `{"${'x'.repeat(1_000_000)}":1}`),
    with400('a number of 900,000 digits', `{"fiatAmount":${'9'.repeat(900_000)},"clientId":1}`),
    with400('a number beyond all numbers', '{"fiatAmount":1e400,"clientId":1e400}'),
    with400('special keys', '{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"clientId":1}'),
    with400('half a surrogate pair', '{"clientId":"\\ud800","apiSecret":"\\udc00"}'),
    with400('overlong UTF-8', Buffer.from('{"clientId":"\xc0\x80"}', 'latin1')),
    with400('UTF-8 that breaks off', Buffer.from('{"clientId":"\xe2\x82', 'latin1')),
    with400('UTF-16', Buffer.from('{"clientId":"a"}', 'utf16le')),
    with400('a byte order mark', '\xef\xbb\xbf{}'),
    with400('NUL', '\0'),
    with400('a list', '[]'),
    with400('a list of a million', `[${'1,'.repeat(499_999)}1]`),
    with400('null', 'null'),
    with400('nothing that is JSON', '{'.repeat(60)),
    with400('a megabyte of spaces and a comma', `${' '.repeat(1_000_000)},`),
    with400('a megabyte of escapes', `{"clientId":"${'\\u0000'.repeat(170_000)}`),
    with400('a megabyte of backslashes', `{"clientId":"${'\\'.repeat(1_000_001)}`),
    with400('32,000 escapes in a text that never ends', `{"a":"${'\\x'.repeat(32_000)}`),
    with400('a megabyte of quotes', '"'.repeat(1_000_000)),
  ]
}

/** Requests of which two readers could see two different ends. */
function badlyFramed([api, path]: (typeof posts)[number]): HostileRequest[] {
  const refused = (name: string, rest: string, statuses = [400]) => ({
    name: `${path}: ${name}`,
    api,
    wire: [`${head(path)}${rest}`],
    statuses,
  })
  const smuggled = `0\r\n\r\nGET /_emulator/clients HTTP/1.1\r\n${host}\r\n`
  return [
    refused('a length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${smuggled}`),
    refused('chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${smuggled}`),
    refused('two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} '),
    refused('one length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'),
    refused('a list of lengths', 'Content-Length: 2, 2\r\n\r\n{}'),
    refused('a length below zero', 'Content-Length: -2\r\n\r\n{}'),
    refused('a length with a sign', 'Content-Length: +2\r\n\r\n{}'),
    refused('a length in hexadecimal', 'Content-Length: 0x2\r\n\r\n{}'),
    refused('a length beyond all numbers', 'Content-Length: 99999999999999999999999\r\n\r\n{}'),
    refused('an unknown transfer encoding', 'Transfer-Encoding: xchunked\r\n\r\n{}'),
    refused(
      'a coding before the chunks',
      'Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      [501],
    ),
    refused(
      'chunks that are not the last encoding',
      `Transfer-Encoding: chunked, identity\r\n\r\n${smuggled}`,
    ),
    refused('a space before the colon', `Transfer-Encoding : chunked\r\n\r\n${smuggled}`),
    refused('a folded header', `Transfer-Encoding:\r\n chunked\r\n\r\n${smuggled}`),
    refused('a chunk whose size is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
    refused('a chunk longer than it says', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'),
    refused(
      'a chunk with a huge extension',
      `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
      [413, 400],
    ),
    refused(
      'huge trailers',
      `Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
      [431, 400],
    ),
    refused('an expectation that nobody can meet', 'Expect: a-miracle\r\nContent-Length: 2\r\n\r\n{}', [417]),
  ]
}

function withHeads([api, path]: (typeof gets)[number]): HostileRequest[] {
  const get = (name: string, statuses: number[], target: string, headers = '', hosts = host) => ({
    name: `${path}: ${name}`,
    api,
    wire: [`GET ${target} HTTP/1.1\r\n${hosts}${token}${headers}\r\n`],
    statuses,
  })
  const absent = [400, 401, 404]
  return [
    get('a header of 17 KB', [431], path, `X: ${'a'.repeat(17_000)}\r\n`),
    get('a header of a megabyte', [431], path, `X: ${'a'.repeat(1_000_000)}\r\n`),
    get('5,000 headers', [431], path, 'X: a\r\n'.repeat(5_000)),
    get('a URL of 17 KB', [431], `${path}?${'a'.repeat(17_000)}`),
    get('a path of 15 KB', [404], `${path}/${'a'.repeat(15_000)}`),
    get('a path of 7,000 parts', [404], `${path}${'/a'.repeat(7_000)}`),
    get('a million parameters', [431], `${path}?${'a&'.repeat(1_000_000)}`),
    get(
      '3,500 parameters twice',
      absent,
      `${path}?${numbered(1_700, (n) => n.toString(36), '&')}&${numbered(1_700, (n) => n.toString(36), '&')}`,
    ),
    get('7,000 parameters', absent, `${path}?${'a&'.repeat(7_000)}`),
    get('15,000 question marks', absent, `${path}?${'?'.repeat(15_000)}`),
    get('special keys as parameters', absent, `${path}?__proto__=1&constructor=2&prototype=3`),
    get('NUL in the path', [400], `${path}\0`),
    get('NUL in a header', [400], path, 'X: a\0b\r\n'),
    get('a bare CR in a header', [400], path, 'X: a\rb\r\n'),
    get('a bare LF', [400], path, 'X: a\nY: b\r\n'),
    get('a header without a name', [400], path, ': a\r\n'),
    get('a header name with a space', [400], path, 'X Y: a\r\n'),
    get('bytes beyond ASCII in the path', [400], `${path}\xff`),
    get('% and nothing', absent, `${path}/%`),
    get('%ff', absent, `${path}/%ff`),
    get('%00', absent, `${path}/%00`),
    get('an overlong slash', absent, `${path}/%c0%af`),
    get('broken escapes in the query', absent, `${path}?requestId=%&clientId=%ff%00%c0%80&limit=%`),
    get('3,000 parameters that are not UTF-8', absent, `${path}?${'%E9=&'.repeat(3_000)}`),
    get('dots that lead out', [404], `${path}/../../../../etc/passwd`),
    get('escaped dots that lead out', absent, `${path}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`),
    get('a backslash', [400], `${path}\\..\\etc`),
    get('no host', [400], path, '', ''),
    get('two hosts', [400], path, '', `${host}${host}`),
    get('an empty host', [400], path, '', 'Host: \r\n'),
    get('a host with a user name', [400], path, '', 'Host: a@127.0.0.1\r\n'),
    get('a host with a path', [400], path, '', 'Host: 127.0.0.1/x?\r\n'),
    get('a port beyond all ports', [400], path, '', 'Host: 127.0.0.1:99999\r\n'),
    get('another host in the target', [400], `http://evil.example${path}`),
    get('a target of another scheme', [400], `ftp://127.0.0.1${path}`),
  ]
}

/** Targets without a path, or with a meaningless method. */
function targets(): HostileRequest[] {
  const plain = (name: string, statuses: number[], line: string) => ({
    name,
    api: null,
    wire: [`${line}\r\n${host}\r\n`],
    statuses,
  })
  return [
    plain('OPTIONS *', [400], 'OPTIONS * HTTP/1.1'),
    plain('GET *', [400], 'GET * HTTP/1.1'),
    plain('CONNECT', [405], 'CONNECT 127.0.0.1:80 HTTP/1.1'),
    plain('CONNECT to cloud metadata', [405], 'CONNECT 169.254.169.254:80 HTTP/1.1'),
    plain('TRACE', [404, 405], 'TRACE /v1/client/orders HTTP/1.1'),
    plain('PROPFIND', [404, 405], 'PROPFIND /v1/client/orders HTTP/1.1'),
    plain('an unknown method', [400], 'FOO /v1/client/orders HTTP/1.1'),
    plain('no target', [400], 'GET  HTTP/1.1'),
    plain('a target without a slash', [400], 'GET v1/client/orders HTTP/1.1'),
    plain('a target with a space', [400], 'GET /a b HTTP/1.1'),
    plain('HTTP/0.9', [400], 'GET /'),
    plain('an unknown version', [400], 'GET / HTTP/9.9'),
    plain('the preface of HTTP/2', [400], 'PRI * HTTP/2.0'),
    {
      name: 'TLS',
      api: null,
      wire: [Buffer.from('16030100b8010000b40303', 'hex'), Buffer.alloc(180, 7)],
      statuses: [400],
    },
    {
      name: 'noise',
      api: null,
      wire: [Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 97) % 256))],
      statuses: [400],
    },
  ]
}

const head = (path: string) => `POST ${path} HTTP/1.1\r\n${host}${token}${json}`

function sized(path: string, body: string | Buffer): Wire {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  return [`${head(path)}Content-Length: ${bytes.length}\r\n\r\n`, bytes]
}

function chunked(path: string, parts: readonly string[]): Wire {
  const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  return [`${head(path)}Transfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`]
}

const numbered = (many: number, word: (n: number) => string, between = ',') =>
  Array.from({ length: many }, (_, n) => word(n)).join(between)
