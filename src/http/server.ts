import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { after } from '../time/timers.ts'
import { type Exchanges, type OnRefused, openFrontDoor } from './front-door.ts'
import { limits, localHost } from './node-http.ts'

/** How often Node looks whether a limit is over; by itself every 30 s. */
const limitsCheckedMs = 1_000

/** The emulator as its server sees it. */
interface Answering {
  /** @param env the connection that the request came over */
  answer(request: Request, env: object): Response | Promise<Response>
  readonly refused: OnRefused
  drain(): Promise<void>
  close(): Promise<void>
}

/** A server that answers for an emulator, wherever its connections come from, and what is under way in it. */
export interface HttpServer {
  readonly server: Server
  readonly exchanges: Exchanges
}

/** Makes the server; it has no port yet.
 *  @param ownProcess lets Hono replace the global `Request` and `Response` by much lighter ones, which a process
 *    that is not the emulator's own would not like */
export function createHttpServer(emulator: Answering, { ownProcess }: { ownProcess: boolean }): HttpServer {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limitsCheckedMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    // The front door says it in words.
    requireHostHeader: false,
  }
  const server = createServer(options)
  let host: string | undefined
  const listener = getRequestListener((request, env) => emulator.answer(request, env), {
    overrideGlobalObjects: ownProcess,
    // Of a request of HTTP/1.0 that names none. Asked for each request; the port is known once the server listens.
    get hostname() {
      host ??= localHost(server)
      return host
    },
  })
  return { server, exchanges: openFrontDoor(server, listener, emulator.refused) }
}

/** Ends requests and deliveries in flight, then the emulator.
 *  @param cut cuts whatever connection is still open after `drainMs` */
export async function closeHttpServer(
  { server, exchanges }: HttpServer,
  { emulator, drainMs, cut }: { emulator: Answering; drainMs: number; cut: () => void },
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // A busy client would go on over the connections it has, and be cut in a request at the end.
  server.prependListener('request', (_, answer) => {
    answer.shouldKeepAlive = false
  })
  const patience = within(drainMs)
  try {
    await emulator.drain()
    await patience.for(exchanges.none())
  } finally {
    patience.end()
    // Whatever still hangs after that is cut; idle connections never keep us.
    cut()
    await ended
    await emulator.close()
  }
}

/** Waits for one thing after the other, at most so long in all. */
function within(ms: number) {
  const over = Promise.withResolvers<void>()
  const end = after(ms, over.resolve)
  return { for: (thing: Promise<void>) => Promise.race([thing, over.promise]), end }
}
