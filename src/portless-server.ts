import type { Duplex } from 'node:stream'
import type { Config } from './config.ts'
import type { Emulator } from './emulator.ts'
import { MemorySocket } from './http/memory-socket.ts'
import { closeHttpServer, createHttpServer } from './http/server.ts'
import type { EmulatorServer } from './server.ts'

/** A name that no network has. */
const portlessUrl = 'http://payment-order-emulator.internal'

/** An emulator that is reached within this process only. */
export interface PortlessServer extends EmulatorServer {
  /** Opens a connection to it.
   *  @returns the caller's end */
  connect(): Duplex
}

/** Serves connections within this process. What goes over them is the same HTTP as over a port, and can go wrong in
 *  the same ways. */
export function servePortless(emulator: Emulator, { drainMs }: Config): PortlessServer {
  const http = createHttpServer(emulator, { ownProcess: false })
  // With this, Node begins to look whether requests take too long.
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
