import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import type { Emulator } from './emulator.ts'
import { limits } from './http/limits.ts'
import { portOf } from './http/node-http.ts'
import { closeHttpServer, createHttpServer } from './http/server.ts'

/** An emulator on a port. */
export interface EmulatorServer {
  readonly url: string
  /** Stops listening, ends requests and deliveries in flight, closes the emulator. */
  close(): Promise<void>
}

/** Opens the port.
 *  @throws the error of `listen`, with its `code` (`EADDRINUSE`, `EACCES`, ...)
 *  @param listen has the server listen; by default on the configuration's host and port
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

/** Under which this machine reaches the server; an unspecified address is reached through loopback. */
function urlOf(server: Server, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portOf(server)}`
}

const isAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null
