import { subscribe } from 'node:diagnostics_channel'
import { lookup } from 'node:dns'
import { isIP, type LookupFunction, Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'
import { namedBy, type Targets } from './targets.ts'

/** Idle connections are closed after this time. Receivers close theirs after 2 s (gunicorn), 5 s (Node) or more; a
 *  connection that closes during sending would cost a visible attempt. */
const idleAtMostMs = 1_000

/** A pool of connections to one origin that webhooks may go to.
 *  @param connections at most */
export const guardedPool = (origin: string, targets: Targets, connections: number): Pool =>
  // undici's own time-outs are coarse, and a dripping body outlives them; an exchange has its own.
  new Pool(origin, {
    connections,
    connect: guardedConnector(origin, targets),
    keepAliveTimeout: idleAtMostMs,
    // Bounds the Keep-Alive time that a receiver asks for.
    keepAliveMaxTimeout: idleAtMostMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/** Connects to one origin if that is allowed. It checks the resolved address and connects to exactly that one, so a
 *  name that resolves to another address later gains nothing. */
function guardedConnector(origin: string, targets: Targets): buildConnector.connector {
  const { host, port } = namedBy(origin)
  const problemWith = (address: string) => targets.problemWith({ host, address, port })
  const connect = lenientConnector({ lookup: guardedLookup(problemWith) })
  return (options, callback) => {
    // An IP address needs no DNS lookup, so it is checked here.
    const problem = isIP(host) === 0 ? undefined : problemWith(host)
    if (problem === undefined) connect(options, callback)
    else callback(new Error(problem), null)
  }
}

function guardedLookup(problemWith: (address: string) => string | undefined): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0)
      const allowed = found.filter(({ address }) => problemWith(address) === undefined)
      const [first] = allowed
      if (first === undefined) return callback(new Error(problemWith(found[0]?.address ?? '')), '', 0)
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
}

/** The maximum size of an answer's headers, above which undici refuses them. */
const longestHead = 16 * 1024

const connections = new WeakSet<Socket>()

/** Connects like undici, but accepts answers as curl does where undici's parser would fail: an unasked `100
 *  Continue`, a repeated length, a length beside chunks, bare line feeds, a header in two lines. The parser gets the
 *  headers, put in order, once all have come. `node:http` would refuse a repeated length as well, and speaks no
 *  HTTP/2. */
export function lenientConnector(options: buildConnector.BuildOptions = {}): buildConnector.connector {
  const connect = buildConnector(options)
  return (to, callback) =>
    connect(to, (...connected) => {
      const [, socket] = connected
      if (socket instanceof Socket && !speaksHttp2(socket)) connections.add(socket)
      callback(...connected)
    })
}

const speaksHttp2 = (socket: Socket): boolean => 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'

// undici's notice of the connection that a request leaves on; the headers of its answer come next.
subscribe('undici:client:sendHeaders', (sent) => {
  if (typeof sent !== 'object' || sent === null || !('socket' in sent)) return
  if (sent.socket instanceof Socket && connections.has(sent.socket)) putHeadInOrder(sent.socket)
})

/** Buffers the data of a connection until the headers of an answer are complete. */
function putHeadInOrder(socket: Socket): void {
  const { push } = socket
  let held = ''
  socket.push = (chunk: Buffer | null) => {
    held += chunk?.toString('latin1') ?? ''
    while (interim.test(headOf(held))) held = held.slice(headOf(held).length)
    const head = headOf(held)
    if (head === '' && chunk !== null && isHead(held)) return true
    socket.push = push
    const problem = problemWith(head)
    if (problem !== undefined) {
      socket.destroy(new Error(problem))
      return false
    }
    if (held !== '') socket.push(Buffer.from(inOrder(head) + held.slice(head.length), 'latin1'))
    return chunk !== null || socket.push(null)
  }
}

/** Whether a text can still become the headers of an answer. */
const isHead = (text: string): boolean => text.length <= longestHead && 'HTTP/'.startsWith(text.slice(0, 5))

/** The text up to its empty line; empty until that has come. */
const headOf = (text: string): string => /^.*?\n\r?\n/s.exec(text)?.[0] ?? ''

/** `100 Continue` and the like: the answer is still to come. */
const interim = /^HTTP\/\S+ 1(?!01)\d\d\b/

function problemWith(head: string): string | undefined {
  const [, status = '200'] = /^HTTP\/\S+ (\d{3})\b/.exec(head) ?? []
  if (status === '101') return 'the receiver tried to switch protocols'
  if (status < '100') return `the receiver answered with the invalid HTTP status ${status}`
  const lengths = lengthsIn(head)
  return lengths.length > 1 && !chunked.test(head)
    ? `the receiver answered with different lengths (content-length: ${lengths.join(', ')})`
    : undefined
}

function inOrder(head: string): string {
  const [length] = lengthsIn(head)
  const unfolded = head.replaceAll(/\r?\n/g, '\r\n').replaceAll(/\r\n[ \t]+/g, ' ')
  if (length === undefined) return unfolded
  const others = unfolded.replaceAll(lengthLines, '')
  return chunked.test(others) ? others : others.replace(/\r\n$/, `content-length: ${length}\r\n\r\n`)
}

const chunked = /^transfer-encoding:.*chunked/im

const lengthLines = /^content-length:(.*)\r?\n/gim

/** Returns the different content lengths that the headers of an answer name. */
const lengthsIn = (head: string): string[] => [
  ...new Set(
    Array.from(head.matchAll(lengthLines), ([, value = '']) =>
      value.split(',').map((each) => each.trim()),
    ).flat(),
  ),
]
