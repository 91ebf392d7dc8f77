import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Cause } from '../domain/diagnosis/causes.ts'
import { isUrl } from '../domain/text/urls.ts'
import { soon } from '../time/timers.ts'
import { announcesTooMuch, snapshotBytes } from './body.ts'
import { localHost } from './node-http.ts'
import { type ParserError, parserRefusal } from './parser-refusal.ts'
import { refusedOnItsWay } from './request.ts'

/** A request that was refused before the app saw it, as far as it could be read. */
export interface UnreadRequest {
  readonly method: string
  readonly path: string
  /** Header names and values in alternation, as received. */
  readonly rawHeaders: readonly string[]
  readonly origin: string
  /** The HTTP status of the refusal; 0 if no answer was sent. */
  readonly status: number
  readonly cause: Cause
  readonly message: string
}

/** The answer to a refused request: its body, and the headers that name the request's log entry. */
export interface UnreadAnswer {
  readonly response: string
  readonly headers: Readonly<Record<string, string>>
}

/** Records a refused request. */
export type OnRefused = (request: UnreadRequest) => UnreadAnswer

/** Passes only readable requests with a valid head to the listener, and answers others with an explanation. Node
 *  itself would answer some with an empty body, and cut others off silently.
 *  @returns the running exchanges */
export function openFrontDoor(server: Server, listener: RequestListener, onRefused: OnRefused): Exchanges {
  const exchanges = new Exchanges()
  const refuse = (incoming: IncomingMessage, status: number, cause: Cause, message: string) => {
    const { method = '', url: path = '', rawHeaders } = incoming
    const origin = originOf(rawHeaders, server)
    const { response, headers } = onRefused({ method, path, rawHeaders, origin, status, cause, message })
    return { response, headers: { ...headersFor(response), ...headers } }
  }
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse, ...why: [number, Cause, string]) => {
    const { response, headers } = refuse(incoming, ...why)
    outgoing.writeHead(why[0], headers).end(response)
  }
  const serve: RequestListener = (incoming, outgoing) => {
    exchanges.begin(incoming, outgoing)
    const problem = problemWithHead(incoming)
    if (problem === null) listener(incoming, outgoing)
    else answer(incoming, outgoing, problem.status, problem.cause, problem.message)
  }

  server.on('request', serve)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A caller that asks with `Expect: 100-continue` need not send a body that would be refused.
    const most = isSnapshot(incoming) ? snapshotBytes : undefined
    const isTooMuch = announcesTooMuch(incoming.headers['content-length'], most)
    if (!isTooMuch && problemWithHead(incoming) === null) outgoing.writeContinue()
    serve(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    exchanges.begin(incoming, outgoing)
    answer(
      incoming,
      outgoing,
      417,
      'http.expect',
      'The only supported value of the header Expect is 100-continue.',
    )
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const words = 'CONNECT is not supported: the emulator is not a proxy.'
    const { response, headers } = refuse(incoming, 405, 'http.connect', words)
    // An empty `Allow` says that the target supports no method (RFC 9110, 10.2.1).
    end(socket, '405 Method Not Allowed', response, { ...headers, allow: '' })
  })
  server.on('clientError', refuseUnreadable(server, exchanges, onRefused))
  return exchanges
}

function refuseUnreadable(server: Server, exchanges: Exchanges, onRefused: OnRefused) {
  const refused = new WeakSet<Duplex>()
  return (error: Error & ParserError, socket: Duplex): void => {
    // After one refusal, further bytes of the connection are ignored.
    if (refused.has(socket)) return
    const here = exchanges.of(socket)
    // A caller that is gone, or has half of another answer, gets nothing more.
    const isHalfAnswered = here.some(({ outgoing }) => outgoing.headersSent && !outgoing.writableEnded)
    if (!socket.writable || isHalfAnswered || error.code === 'ECONNRESET') return void socket.destroy()
    refused.add(socket)
    const { reason, ...known } = parserRefusal(error, exchanges.latestOf(socket))
    const refusal = { ...known, origin: originOf(known.rawHeaders, server) }
    const last = here.findLast(({ incoming, outgoing }) => incoming.complete || outgoing.writableEnded)
    if (last !== undefined) {
      // The pending answer belongs to the last request, so the refused bytes get no answer of their own. A request
      // that was answered before its body was complete is already recorded.
      if (last.incoming.complete) onRefused({ ...refusal, status: 0 })
      return void endAfter(last, socket)
    }
    for (const { incoming } of here) refusedOnItsWay(incoming)
    const { response, headers } = onRefused(refusal)
    end(socket, `${refusal.status} ${reason}`, response, { ...headersFor(response), ...headers })
  }
}

const originOf = (rawHeaders: readonly string[], server: Server): string =>
  `http://${hostIn(rawHeaders) ?? localHost(server)}`

/** Closes a connection once an answer has been sent, and announces that in the answer if its head is not sent yet. */
function endAfter({ outgoing }: Exchange, socket: Duplex): void {
  outgoing.shouldKeepAlive = false
  outgoing.once('close', () => endSoon(socket))
}

function end(socket: Duplex, status: string, body: string, headers: Readonly<Record<string, string>>): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  endSoon(socket)
}

/** Time that the caller has to read the answer and to close. */
const closesWithinMs = 1_000

/** Closes a connection, and drops incoming bytes until then: with unread bytes the connection would be reset, and
 *  the answer lost. */
function endSoon(socket: Duplex): void {
  // Some callers disconnect early, which is not an error.
  socket.on('error', () => socket.destroy())
  socket.once(
    'close',
    soon(closesWithinMs, () => socket.destroy()),
  )
  socket.resume()
  socket.end()
}

/** Whether a request target is meant for the control API, as far as it shows. */
export const isControl = (target: string): boolean =>
  /^(?:https?:\/\/[^/?#]*)?\/_emulator(?:[/?]|$)/i.test(target)

const headersFor = (body: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'x-content-type-options': 'nosniff',
  connection: 'close',
})

const isSnapshot = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' && /^\/_emulator\/snapshot(\?|$)/.test(url)

/** A request whose answer has not been sent completely. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface Traffic {
  /** Running exchanges in the order of their requests. */
  open: Exchange[]
  latest: IncomingMessage
}

/** The requests in progress, by connection. */
export class Exchanges {
  readonly #traffic = new WeakMap<Duplex, Traffic>()
  #count = 0
  #onNone = () => {}

  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    const exchange = { incoming, outgoing }
    const traffic = this.#traffic.get(socket)
    if (traffic === undefined) {
      this.#traffic.set(socket, { open: [exchange], latest: incoming })
    } else {
      traffic.open.push(exchange)
      traffic.latest = incoming
    }
    this.#count += 1
    outgoing.on('close', () => this.#end(socket, exchange))
  }

  /** Returns the requests in progress on one connection, in order. With pipelining there may be several. */
  of(socket: Duplex): readonly Exchange[] {
    return [...(this.#traffic.get(socket)?.open ?? [])]
  }

  /** The last request over a connection, answered or not. */
  latestOf(socket: Duplex): IncomingMessage | undefined {
    return this.#traffic.get(socket)?.latest
  }

  /** Resolves when no request is in progress. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onNone = resolve
    })
  }

  #end(socket: Duplex, exchange: Exchange): void {
    const open = this.#traffic.get(socket)?.open ?? []
    const index = open.indexOf(exchange)
    // Node may emit the event `close` several times.
    if (index === -1) return
    open.splice(index, 1)
    this.#count -= 1
    if (this.#count === 0) this.#onNone()
  }
}

type Head = Pick<IncomingMessage, 'rawHeaders' | 'url' | 'httpVersion'>

interface HeadProblem {
  readonly status: number
  readonly cause: Cause
  readonly message: string
}

/** Checks a request's head: version, Host, target and transfer coding. A request with two hosts means one thing to
 *  the guards of the control API and another to a proxy in between.
 *  @returns null for a valid head */
export function problemWithHead(head: Head): HeadProblem | null {
  const { httpVersion, rawHeaders } = head
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return badHead('http.version', `The emulator supports HTTP/1.1, not HTTP/${httpVersion}.`)
  const hosts = valuesOf('host', rawHeaders)
  const host = problemWithHost(hosts, httpVersion)
  if (host !== null) return badHead('http.host', host)
  const target = problemWithTarget(head.url ?? '', hosts[0] ?? '')
  if (target !== null) return badHead('http.target', target)
  return problemWithTransfer(valuesOf('transfer-encoding', rawHeaders).join(', '), httpVersion)
}

/** The host of a request; null for none, several, or an invalid one. */
function hostIn(rawHeaders: readonly string[]): string | null {
  const [host = '', ...more] = valuesOf('host', rawHeaders)
  return more.length === 0 && isHost(host) ? host : null
}

const badHead = (cause: Cause, message: string): HeadProblem => ({ status: 400, cause, message })

function problemWithHost(hosts: readonly string[], httpVersion: string): string | null {
  // Health checks of load balancers still speak HTTP/1.0, which has no Host header.
  if (hosts.length === 0 && httpVersion === '1.0') return null
  if (hosts.length !== 1) return `A request needs exactly one Host header; this one has ${hosts.length}.`
  return isHost(hosts[0] ?? '') ? null : 'The Host header is not a valid host with an optional port.'
}

function problemWithTarget(url: string, host: string): string | null {
  if (url.includes('\\')) return 'The path contains a backslash; write %5C.'
  if (url.startsWith('/')) return null
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  if (named === undefined) return 'The request target is neither a path nor an http or https URL.'
  // A target that is a whole URL overrides the header (RFC 9112, 3.2.2), so it could bypass a guard.
  return named.toLowerCase() === host.toLowerCase()
    ? null
    : 'The request target and the Host header name different hosts.'
}

/** Rejects transfer codings other than `chunked`: Node's parser would accept them, and pass the body on undecoded. */
function problemWithTransfer(codings: string, httpVersion: string): HeadProblem | null {
  if (codings === '') return null
  const cause = 'http.transfer-coding'
  if (httpVersion === '1.0') {
    const message =
      'HTTP/1.0 does not allow Transfer-Encoding. Send the body with a Content-Length, or send the request as HTTP/1.1.'
    return badHead(cause, message)
  }
  const names = codings.split(',').map((name) => name.trim().toLowerCase())
  if (names.every((name) => name === 'chunked' || name === '')) return null
  const sent = JSON.stringify(codings.slice(0, 100))
  const message = `Transfer-Encoding is ${sent}; only \`chunked\` is supported. Send the body uncompressed.`
  // If the last encoding is not `chunked`, the end of the body is unknown (RFC 9112, 6.3).
  return { status: names.at(-1) === 'chunked' ? 501 : 400, cause, message }
}

/** Lists the values of a header, by its name in lower case. */
function valuesOf(wanted: string, rawHeaders: readonly string[]): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === wanted) values.push(rawHeaders[index + 1] ?? '')
  }
  return values
}

/** Whether a text is a host name or address with an optional port, and nothing else. */
const isHost = (host: string): boolean =>
  /^(\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(:\d{1,5})?$/i.test(host) && isUrl(`http://${host}/`)
