import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Cause } from './domain/diagnosis/causes.ts'
import { announcesTooMuch, snapshotLimit } from './http/body.ts'
import { type Exchange, Exchanges } from './http/exchanges.ts'
import { hostIn, problemWithHead } from './http/head.ts'
import { type ParserError, parserRefusal } from './http/parser-refusal.ts'
import { localHost } from './http/ports.ts'
import { refusedOnItsWay } from './http/refused.ts'
import { soon } from './time/timers.ts'

/** A request that was refused before the app saw it, as far as it could be read. */
export interface UnreadRequest {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  /** Under which the caller reached the emulator, as far as that is known. */
  readonly origin: string
  /** 0 if nothing is answered. */
  readonly status: number
  readonly cause: Cause
  readonly message: string
  readonly response: string
}

/** Journals a refused request. @returns headers of the answer that name its entry */
type OnRefused = (request: UnreadRequest) => Readonly<Record<string, string>>

/** Lets through to the listener only requests that can be read and whose head makes sense, and answers the rest in
 *  words. Node by itself would answer some of them with an empty body, and cut others off without a word.
 *  @param onRefused told of each; gives the headers that name its entry in the journal
 *  @returns what is under way */
export function openFrontDoor(server: Server, listener: RequestListener, onRefused: OnRefused): Exchanges {
  const exchanges = new Exchanges()
  const refuse = (incoming: IncomingMessage, status: number, cause: Cause, message: string) => {
    const { method = '', url: path = '', rawHeaders } = incoming
    const response = errorBody(path, message)
    const origin = originOf(rawHeaders, server)
    const named = onRefused({ method, path, rawHeaders, origin, status, cause, message, response })
    return { response, headers: { ...headersFor(response), ...named } }
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
    // Whoever asks first is spared sending what would be refused anyway.
    const limit = isSnapshot(incoming) ? snapshotLimit : undefined
    const isTooMuch = announcesTooMuch(incoming.headers['content-length'], limit)
    if (!isTooMuch && problemWithHead(incoming) === null) outgoing.writeContinue()
    serve(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    exchanges.begin(incoming, outgoing)
    answer(incoming, outgoing, 417, 'http.expect', 'Of the header Expect only 100-continue is known.')
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const words = 'CONNECT is not possible here: this is no proxy.'
    const { response, headers } = refuse(incoming, 405, 'http.connect', words)
    // Another host is nothing here that any method could be used on (RFC 9110, 10.2.1).
    end(socket, '405 Method Not Allowed', response, { ...headers, allow: '' })
  })
  server.on('clientError', refuseUnreadable(server, exchanges, onRefused))
  return exchanges
}

/** Answers what Node's parser would not take. */
function refuseUnreadable(server: Server, exchanges: Exchanges, onRefused: OnRefused) {
  const refused = new WeakSet<Duplex>()
  return (error: Error & ParserError, socket: Duplex): void => {
    // Whatever follows is not read either.
    if (refused.has(socket)) return
    const here = exchanges.of(socket)
    // A caller that has gone away hears nothing any more, nor one that has half of another answer.
    const isHalfAnswered = here.some(({ outgoing }) => outgoing.headersSent && !outgoing.writableEnded)
    if (!socket.writable || isHalfAnswered || error.code === 'ECONNRESET') return void socket.destroy()
    refused.add(socket)
    const { reason, ...known } = parserRefusal(error, exchanges.latestOf(socket))
    const refusal = { ...known, origin: originOf(known.rawHeaders, server) }
    const last = here.findLast(({ incoming, outgoing }) => incoming.complete || outgoing.writableEnded)
    if (last !== undefined) {
      // It is nobody's but this request's answer that comes next. One that was answered before its body had come whole
      // is in the journal already.
      if (last.incoming.complete) onRefused({ ...refusal, status: 0, response: '' })
      return void endAfter(last, socket)
    }
    for (const { incoming } of here) refusedOnItsWay(incoming)
    const response = errorBody(refusal.path, refusal.message)
    const named = onRefused({ ...refusal, response })
    end(socket, `${refusal.status} ${reason}`, response, { ...headersFor(response), ...named })
  }
}

const originOf = (rawHeaders: readonly string[], server: Server): string =>
  `http://${hostIn(rawHeaders) ?? localHost(server)}`

/** Closes a connection once an answer has left, and says so in the answer if that is still possible. */
function endAfter({ outgoing }: Exchange, socket: Duplex): void {
  outgoing.shouldKeepAlive = false
  outgoing.once('close', () => endSoon(socket))
}

function end(socket: Duplex, status: string, body: string, headers: Readonly<Record<string, string>>): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  endSoon(socket)
}

/** How long the other side has to take the answer and to close. */
const closesWithinMs = 1_000

/** Closes a connection. What the other side still sends is dropped meanwhile: with bytes unread the connection would be
 *  reset, and the answer lost. */
function endSoon(socket: Duplex): void {
  // Some callers hang up at once.
  socket.on('error', () => socket.destroy())
  socket.once(
    'close',
    soon(closesWithinMs, () => socket.destroy()),
  )
  socket.resume()
  socket.end()
}

/** Worded as the API words its errors that the request was meant for, as far as that is known. */
const errorBody = (path: string, message: string): string =>
  JSON.stringify({ error: isControl(path) ? { code: 'bad_request', message } : message })

/** @param target a path, or a whole URL */
const isControl = (target: string): boolean => /^(?:https?:\/\/[^/?#]*)?\/_emulator(?:[/?]|$)/i.test(target)

const headersFor = (body: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'x-content-type-options': 'nosniff',
  connection: 'close',
})

const isSnapshot = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' && /^\/_emulator\/snapshot(\?|$)/.test(url)
