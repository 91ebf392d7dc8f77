import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { announcesTooMuch } from './http/body.ts'
import { problemWithHead } from './http/head.ts'

/** Lets through to the listener only requests whose head makes sense, and answers the rest. Node by itself would
 *  answer some of them with an empty body, and cut others off without a word. */
export function openFrontDoor(server: Server, listener: RequestListener): void {
  const serve: RequestListener = (incoming, outgoing) => {
    const problem = problemWithHead(incoming)
    if (problem === null) listener(incoming, outgoing)
    else refuse(incoming, outgoing, 400, problem)
  }
  server.on('request', serve)
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Whoever asks first is spared sending what would be refused anyway.
    if (!announcesTooMuch(incoming.headers['content-length'])) outgoing.writeContinue()
    serve(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) =>
    refuse(incoming, outgoing, 417, 'Of the header Expect only 100-continue is known.'),
  )
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    // Some callers hang up at once.
    socket.on('error', () => socket.destroy())
    const { body, headers } = refusal(incoming, 'CONNECT is not possible here: this is no proxy.')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nallow: GET, POST\r\n${lines.join('')}\r\n${body}`)
  })
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number, problem: string): void {
  const { body, headers } = refusal(incoming, problem)
  outgoing.writeHead(status, headers).end(body)
}

/** Worded as the API words its errors that the request was meant for. */
function refusal({ url = '' }: IncomingMessage, problem: string) {
  const error = url.includes('/_emulator') ? { code: 'bad_request', message: problem } : problem
  const body = JSON.stringify({ error })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  return { body, headers }
}
