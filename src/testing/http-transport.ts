import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'
import { patienceMs, type Reply, type Sent, type Transport, unreachable } from './transport.ts'

/** The connections to one emulator. undici is loaded with the first request. */
export interface Connections {
  open(): Promise<OpenConnections>
  close(): Promise<void>
}

type HttpClient = typeof import('./http-client.ts')

interface OpenConnections extends Pick<HttpClient, 'request' | 'fetch' | 'Dispatcher1Wrapper'> {
  readonly dispatcher: Dispatcher
}

/** Prepares the connections to an emulator.
 *  @param connect opens a connection within this process; if left out, connections use the network */
export function connectionsTo(connect?: () => Duplex): Connections {
  let opening: Promise<OpenConnections> | undefined
  let closed = false
  const opened = async () => {
    const connections = await open(connect)
    // A connection opened after `close` must fail like the earlier ones.
    if (closed) await connections.dispatcher.destroy()
    return connections
  }
  return {
    open: () => {
      opening ??= opened()
      return opening
    },
    close: async () => {
      closed = true
      await (await opening)?.dispatcher.destroy()
    },
  }
}

async function open(connect?: () => Duplex): Promise<OpenConnections> {
  const { Agent, Dispatcher1Wrapper, fetch, lackingGlobal, request } = await import('./http-client.ts')
  const lacking = lackingGlobal()
  if (lacking !== null) throw new Error(lacking)
  // No time limits: a test may delay answers for any time.
  const patient = { headersTimeout: 0, bodyTimeout: 0 }
  const options = connect === undefined ? patient : { ...patient, connect: within(connect) }
  return { request, fetch, Dispatcher1Wrapper, dispatcher: new Agent(options) }
}

function within(connect: () => Duplex): buildConnector.connector {
  return (_, callback) => {
    // Later, like over a network: undici cannot take the connection synchronously.
    queueMicrotask(() => {
      const end = connect()
      if (servesAsSocket(end)) callback(null, end)
      else callback(new Error('not a connection'), null)
    })
  }
}

/** Whether a stream can be used as a socket: undici needs one that can report a reset. */
const servesAsSocket = (end: Duplex): end is Socket => 'resetAndDestroy' in end

/** Sends requests to an emulator over HTTP.
 *  @param url the emulator's base URL, without a trailing slash */
export function httpTransport(url: string, connections: Connections): Transport {
  return {
    send: async (sent) => {
      try {
        const answer = await asked(url, connections, sent, AbortSignal.timeout(patienceMs(sent)))
        return { status: answer.statusCode, headers: single(answer.headers), text: await answer.body.text() }
      } catch (error) {
        throw unreachable(url, sent, error)
      }
    },
    open: async (sent) => {
      try {
        const { body, headers, statusCode } = await asked(url, connections, sent, null)
        body.setEncoding('utf8')
        // Errors are ignored once the reader has stopped.
        body.on('error', () => {})
        const texts = piecesOf(body, (error) => unreachable(url, sent, error))
        return { status: statusCode, headers: single(headers), texts, close: () => body.destroy() }
      } catch (error) {
        throw unreachable(url, sent, error)
      }
    },
  }
}

async function* piecesOf(
  body: AsyncIterable<unknown>,
  inWords: (error: unknown) => Error,
): AsyncGenerator<string> {
  try {
    for await (const piece of body) yield String(piece)
  } catch (error) {
    throw inWords(error)
  }
}

async function asked(url: string, connections: Connections, sent: Sent, signal: AbortSignal | null) {
  const { request, dispatcher } = await connections.open()
  const { method, path, headers = {}, body = null } = sent
  // `fetch` is not used: it rejects some ports (6000, 6666, ...) that an emulator may have.
  return await request(`${url}${path}`, { method, headers, body, dispatcher, signal })
}

const single = (headers: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
