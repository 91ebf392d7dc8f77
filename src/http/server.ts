import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { after } from '../time/timers.ts'
import { type Exchanges, type OnRefused, openFrontDoor } from './front-door.ts'
import { limits, localHost } from './node-http.ts'

/** How often Node checks time limits; by default every 30 s. */
const limitsCheckedMs = 1_000

/** The emulator as its server sees it. */
interface Answering {
  /** @param env the request's connection */
  answer(request: Request, env: object): Response | Promise<Response>
  readonly refused: OnRefused
  drain(): Promise<void>
  close(): Promise<void>
}

/** A server for an emulator, on any kind of connection, with its running exchanges. */
export interface HttpServer {
  readonly server: Server
  readonly exchanges: Exchanges
}

/** Creates the server; it has no port yet.
 *  @param ownProcess lets Hono replace the global `Request` and `Response` by much lighter ones, which only the
 *    emulator's own process should do */
export function createHttpServer(emulator: Answering, { ownProcess }: { ownProcess: boolean }): HttpServer {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limitsCheckedMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    // The front door explains it.
    requireHostHeader: false,
  }
  const server = createServer(options)
  let host: string | undefined
  const listener = getRequestListener((request, env) => emulator.answer(request, env), {
    overrideGlobalObjects: ownProcess,
    // For a request of HTTP/1.0 without a Host. Read at each request; the port is known once the server listens.
    get hostname() {
      host ??= localHost(server)
      return host
    },
  })
  return { server, exchanges: openFrontDoor(server, listener, emulator.refused) }
}

/** Ends requests and deliveries in flight, then the emulator.
 *  @param cut closes the connections that are still open after `drainMs` */
export async function closeHttpServer(
  { server, exchanges }: HttpServer,
  { emulator, drainMs, cut }: { emulator: Answering; drainMs: number; cut: () => void },
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A busy client would go on over its connections, and be cut in a request at the end.
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive = false
  })
  const patience = within(drainMs)
  try {
    await emulator.drain()
    await patience.for(exchanges.none())
  } finally {
    patience.end()
    // Connections that still hang are cut; idle ones do not delay the end.
    cut()
    await ended
    await emulator.close()
  }
}

/** Waits for one promise after the other, within a total time. */
function within(ms: number) {
  const over = Promise.withResolvers<void>()
  const end = after(ms, over.resolve)
  return { for: (thing: Promise<void>) => Promise.race([thing, over.promise]), end }
}
