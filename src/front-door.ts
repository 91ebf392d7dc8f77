import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Cause } from './domain/diagnosis/causes.ts'
import { announcesTooMuch, snapshotLimit } from './http/body.ts'
import { problemWithHead } from './http/head.ts'
import { parserRefusal } from './http/parser-refusal.ts'

/** A request that was refused before the app saw it, as far as it could be read. */
export interface UnreadRequest {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly status: number
  readonly cause: Cause
  readonly message: string
  readonly response: string
}

/** Lets through to the listener only requests that can be read and whose head makes sense, and answers the rest in
 *  words. Node by itself would answer some of them with an empty body, and cut others off without a word.
 *  @param onRefused told of each; gives its id in the journal, which the answer carries */
export function openFrontDoor(
  server: Server,
  listener: RequestListener,
  onRefused: (request: UnreadRequest) => string,
): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refuse = (incoming: IncomingMessage, status: number, cause: Cause, message: string) => {
    const { method = '', url: path = '', rawHeaders } = incoming
    const response = errorBody(path, message)
    const id = onRefused({ method, path, rawHeaders, status, cause, message, response })
    return { response, headers: headersFor(response, id) }
  }
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse, ...why: [number, Cause, string]) => {
    const { response, headers } = refuse(incoming, ...why)
    outgoing.writeHead(why[0], headers).end(response)
  }
  const serve: RequestListener = (incoming, outgoing) => {
    latest.set(incoming.socket, outgoing)
    const problem = problemWithHead(incoming)
    if (problem === null) listener(incoming, outgoing)
    else answer(incoming, outgoing, 400, problem.cause, problem.message)
  }

  server.on('request', serve)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Whoever asks first is spared sending what would be refused anyway.
    const limit = isSnapshot(incoming) ? snapshotLimit : undefined
    if (!announcesTooMuch(incoming.headers['content-length'], limit)) outgoing.writeContinue()
    serve(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    answer(incoming, outgoing, 417, 'http.expect', 'Of the header Expect only 100-continue is known.'),
  )
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const words = 'CONNECT is not possible here: this is no proxy.'
    const { response, headers } = refuse(incoming, 405, 'http.connect', words)
    end(socket, '405 Method Not Allowed', response, { ...headers, allow: 'GET, POST' })
  })
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    const under = latest.get(socket)
    const answered = under?.headersSent === true && !under.writableFinished
    // A caller that has gone away hears nothing any more, nor one that has half of another answer.
    if (!socket.writable || answered || error.code === 'ECONNRESET') return void socket.destroy()
    const { status, reason, cause, message, method, path } = parserRefusal(error)
    const response = errorBody(path, message)
    const id = onRefused({ method, path, rawHeaders: [], status, cause, message, response })
    end(socket, `${status} ${reason}`, response, headersFor(response, id))
  })
}

function end(socket: Duplex, status: string, body: string, headers: Readonly<Record<string, string>>): void {
  // Some callers hang up at once.
  socket.on('error', () => socket.destroy())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

/** Worded as the API words its errors that the request was meant for, as far as that is known. */
const errorBody = (path: string, message: string): string =>
  JSON.stringify({ error: path.includes('/_emulator') ? { code: 'bad_request', message } : message })

const headersFor = (body: string, id: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'x-content-type-options': 'nosniff',
  'emulator-request-id': id,
  connection: 'close',
})

const isSnapshot = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'PUT' && /^\/_emulator\/snapshot(\?|$)/.test(url)
