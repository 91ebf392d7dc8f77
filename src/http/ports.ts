import type { Server } from 'node:http'

/** The port that a server listens on; 0 if it listens on none. */
export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The host under which this machine reaches a server. */
export function localHost(server: Server): string {
  const port = portOf(server)
  return port === 0 ? 'localhost' : `localhost:${port}`
}

/** Closes a server with all its connections, whatever is under way. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
