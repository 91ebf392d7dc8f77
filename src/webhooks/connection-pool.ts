import { subscribe } from 'node:diagnostics_channel'
import { lookup } from 'node:dns'
import { isIP, type LookupFunction, Socket } from 'node:net'
import { buildConnector, Pool } from 'undici'
import { namedBy, type Targets } from './targets.ts'

/** A connection that lies idle for longer is closed. Receivers close theirs after 2 s (gunicorn), 5 s (Node) or more:
 *  one that closes in the very moment of sending would cost a visible attempt. */
const idleAtMostMs = 1_000

/** Connections to one origin, where webhooks may go.
 *  @param connections at most */
export const guardedPool = (origin: string, targets: Targets, connections: number): Pool =>
  // undici's own time-outs are coarse, and a dripping body outlives them; an exchange has its own.
  new Pool(origin, {
    connections,
    connect: guardedConnector(origin, targets),
    keepAliveTimeout: idleAtMostMs,
    // What a receiver's Keep-Alive header may make of it.
    keepAliveMaxTimeout: idleAtMostMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/** Connects to one origin if that is allowed. It looks at the address that the name resolves to, and connects to
 *  just that: a name that resolves to another one a moment later gains nothing. */
function guardedConnector(origin: string, targets: Targets): buildConnector.connector {
  const { host, port } = namedBy(origin)
  const problemWith = (address: string) => targets.problemWith({ host, address, port })
  const connect = lenientConnector({ lookup: guardedLookup(problemWith) })
  return (options, callback) => {
    // What is an address already is not looked up.
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

/** Beyond this undici refuses the headers of an answer. */
const longestHead = 16 * 1024

const connections = new WeakSet<Socket>()

/** Connects as undici does, and has answers taken as curl takes them where undici's parser would break off: an unasked
 *  `100 Continue`, a length said twice, a length beside chunks, bare line feeds, a header in two lines. The parser gets
 *  the headers when all of them have come, put in order. `node:http` would refuse a length said twice as well, and speaks
 *  no HTTP/2. */
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

// undici's way to say which connection a request leaves on, so that the headers of its answer come next.
subscribe('undici:client:sendHeaders', (sent) => {
  if (typeof sent !== 'object' || sent === null || !('socket' in sent)) return
  if (sent.socket instanceof Socket && connections.has(sent.socket)) putHeadInOrder(sent.socket)
})

/** Holds back what comes on a connection until the headers of an answer are whole. */
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

/** Whether the headers of an answer can still come of it. */
const isHead = (text: string): boolean => text.length <= longestHead && 'HTTP/'.startsWith(text.slice(0, 5))

/** What a text has up to its empty line; nothing until that has come. */
const headOf = (text: string): string => /^.*?\n\r?\n/s.exec(text)?.[0] ?? ''

/** `100 Continue` and its like: the answer is still to come. */
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

/** The different lengths that headers name. */
const lengthsIn = (head: string): string[] => [
  ...new Set(
    Array.from(head.matchAll(lengthLines), ([, value = '']) =>
      value.split(',').map((each) => each.trim()),
    ).flat(),
  ),
]
