import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { after } from '../time/timers.ts'
import { type Exchanges, type OnRefused, openFrontDoor } from './front-door.ts'
import { limits, localHost } from './node-http.ts'

/** How often Node checks the time limits of requests; Node's default is 30 s. */
const limitsCheckedMs = 1_000

interface Answering {
  answer(request: Request, env: object): Response | Promise<Response>
  readonly refused: OnRefused
  drain(): Promise<void>
  close(): Promise<void>
}

export interface HttpServer {
  readonly server: Server
  readonly exchanges: Exchanges
}

/** Creates the HTTP server of an emulator, not yet listening.
 *  @param ownProcess lets Hono replace the global `Request` and `Response` by much lighter ones, which only the
 *    emulator's own process should do */
export function createHttpServer(emulator: Answering, { ownProcess }: { ownProcess: boolean }): HttpServer {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limitsCheckedMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    // The front door answers a missing Host with an explanation.
    requireHostHeader: false,
  }
  const server = createServer(options)
  let host: string | undefined
  const listener = getRequestListener((request, env) => emulator.answer(request, env), {
    overrideGlobalObjects: ownProcess,
    // The host of HTTP/1.0 requests without one. It is a getter, because the port is known only once the server
    // listens.
    get hostname() {
      host ??= localHost(server)
      return host
    },
  })
  return { server, exchanges: openFrontDoor(server, listener, emulator.refused) }
}

/** Waits for requests and deliveries in flight, then closes the emulator.
 *  @param cut closes the connections that are still open after `drainMs` */
export async function closeHttpServer(
  { server, exchanges }: HttpServer,
  { emulator, drainMs, cut }: { emulator: Answering; drainMs: number; cut: () => void },
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Asks clients to close their connections, because a busy client would otherwise reuse one and be cut off in the
  // middle of a request.
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive = false
  })
  const patience = within(drainMs)
  try {
    await emulator.drain()
    await patience.for(exchanges.none())
  } finally {
    patience.end()
    // Hanging connections are cut; idle ones do not delay the end.
    cut()
    await ended
    await emulator.close()
  }
}

/** Returns a function that waits for several promises one after the other, within a total time. */
function within(ms: number) {
  const over = Promise.withResolvers<void>()
  const end = after(ms, over.resolve)
  return { for: (thing: Promise<void>) => Promise.race([thing, over.promise]), end }
}
