import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { buildConnector, Dispatcher } from 'undici'
import { patienceMs, type Reply, type Sent, type Transport, unreachable } from './transport.ts'

/** The connections to one emulator. What they are made with is loaded when the first is needed. */
export interface Connections {
  open(): Promise<OpenConnections>
  /** Ends all of them. */
  close(): Promise<void>
}

type HttpClient = typeof import('./http-client.ts')

interface OpenConnections extends Pick<HttpClient, 'request' | 'fetch' | 'Dispatcher1Wrapper'> {
  readonly dispatcher: Dispatcher
}

/** @param connect opens a connection within this process; over the network if left out */
export function connectionsTo(connect?: () => Duplex): Connections {
  let opening: Promise<OpenConnections> | undefined
  let closed = false
  const opened = async () => {
    const connections = await open(connect)
    // Whoever comes after the end is refused as those are who were there before.
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
  // Answers may be held for as long as a test likes.
  const patient = { headersTimeout: 0, bodyTimeout: 0 }
  const options = connect === undefined ? patient : { ...patient, connect: within(connect) }
  return { request, fetch, Dispatcher1Wrapper, dispatcher: new Agent(options) }
}

function within(connect: () => Duplex): buildConnector.connector {
  return (_, callback) => {
    // In a later turn, as a network does: undici is not ready for it in this one.
    queueMicrotask(() => {
      const end = connect()
      if (servesAsSocket(end)) callback(null, end)
      else callback(new Error('not a connection'), null)
    })
  }
}

/** undici asks of a connection what every Duplex can, and to be told of a reset. */
const servesAsSocket = (end: Duplex): end is Socket => 'resetAndDestroy' in end

/** HTTP to an emulator.
 *  @param url its base URL, without a slash at its end */
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
        // Whoever has stopped reading does not care how it ends.
        body.on('error', () => {})
        const texts = piecesOf(body, (error) => unreachable(url, sent, error))
        return { status: statusCode, headers: single(headers), texts, close: () => body.destroy() }
      } catch (error) {
        throw unreachable(url, sent, error)
      }
    },
  }
}

/** The pieces of a body, and its error in words. */
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
  // Not fetch: it refuses some ports (6000, 6666, ...) that an emulator may well have.
  return await request(`${url}${path}`, { method, headers, body, dispatcher, signal })
}

const single = (headers: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
