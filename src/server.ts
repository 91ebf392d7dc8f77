import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Config } from './config.ts'
import type { Emulator } from './emulator.ts'
import { openFrontDoor } from './front-door.ts'
import type { Exchanges } from './http/exchanges.ts'
import { limits } from './http/limits.ts'
import { after } from './time/timers.ts'

/** How often Node looks whether a limit is over; by itself every 30 s. */
const limitsCheckedMs = 1_000

/** An emulator on a port. */
export interface EmulatorServer {
  readonly url: string
  /** Stops listening, ends requests and deliveries in flight, closes the emulator. */
  close(): Promise<void>
}

/** Opens the port.
 *  @param ownProcess lets Hono replace the global `Request` and `Response` by much lighter ones, which a process
 *    that is not the emulator's own would not like
 *  @throws the error of `listen`, with its `code` (`EADDRINUSE`, `EACCES`, ...) */
export async function serveEmulator(
  emulator: Emulator,
  config: Config,
  { ownProcess }: { ownProcess: boolean },
): Promise<EmulatorServer> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limitsCheckedMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    // The front door says it in words.
    requireHostHeader: false,
  })
  const exchanges = openFrontDoor(
    server,
    getRequestListener((request, env) => emulator.app.fetch(request, env), {
      overrideGlobalObjects: ownProcess,
      // Of a request of HTTP/1.0 that names none.
      hostname: 'localhost',
    }),
    emulator.refused,
  )
  server.maxConnections = limits.connections
  await listen(server, config)
  const address = server.address()
  if (isAddress(address)) emulator.listensAt(address.address, address.port)
  return { url: urlOf(server, config.host), close: () => close(server, emulator, exchanges, config.drainMs) }
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Under which this machine reaches the server; an unspecified address is reached through loopback. */
function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = isAddress(address) ? address.port : 0
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

async function close(
  server: Server,
  emulator: Emulator,
  exchanges: Exchanges,
  drainMs: number,
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
    server.closeAllConnections()
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
