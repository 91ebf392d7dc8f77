import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { MemorySocket } from '../http/memory-socket.ts'
import { limits, portOf } from '../http/node-http.ts'
import { closeHttpServer, createHttpServer } from '../http/server.ts'
import type { Config } from './config.ts'
import type { Emulator } from './emulator.ts'

/** A base URL with a host name that no network resolves. */
const portlessUrl = 'http://payment-order-emulator.internal'

/** An emulator that is reachable within this process only. */
interface PortlessServer extends EmulatorServer {
  /** Opens a connection.
   *  @returns the caller's end */
  connect(): Duplex
}

/** Serves connections within this process, without a port. Connections use the same HTTP as over a port, with the
 *  same failures. */
export function servePortless(emulator: Emulator, { drainMs }: Config): PortlessServer {
  const http = createHttpServer(emulator, { ownProcess: false })
  // Emitted so that Node's server starts its check for slow requests.
  http.server.emit('listening')
  const open = new Set<Duplex>()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: portlessUrl,
    connect: () => {
      const { caller, server: socket } = MemorySocket.pair()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      http.server.emit('connection', socket)
      return caller
    },
    close: () => closeHttpServer(http, { emulator, drainMs, cut }),
  }
}

export interface EmulatorServer {
  readonly url: string
  /** Stops listening, ends requests and deliveries in flight, closes the emulator. */
  close(): Promise<void>
}

/** Opens the port.
 *  @throws the error of `listen`, with its `code` (`EADDRINUSE`, `EACCES`, ...)
 *  @param listen makes the server listen; by default on the configuration's host and port
 *  @see createHttpServer for `ownProcess` */
export async function serveEmulator(
  emulator: Emulator,
  config: Config,
  {
    ownProcess,
    listen = (server) => listenAt(server, config),
  }: { ownProcess: boolean; listen?: (server: Server) => Promise<void> },
): Promise<EmulatorServer> {
  const http = createHttpServer(emulator, { ownProcess })
  const { server } = http
  server.maxConnections = limits.connections
  await listen(server)
  const address = server.address()
  if (isAddress(address)) emulator.listensAt(address.address, address.port)
  const cut = () => server.closeAllConnections()
  return {
    url: urlOf(server, config.host),
    close: () => closeHttpServer(http, { emulator, drainMs: config.drainMs, cut }),
  }
}

function listenAt(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The URL at which this machine reaches the server; an unspecified address is reached through loopback. */
function urlOf(server: Server, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(server)}`
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null
