import type { IncomingMessage, Server } from 'node:http'

/** The limits of requests in size and time (N33). `docs/explanation/reliability.md` lists them. */
export const limits = {
  bodyBytes: 1024 * 1024,
  jsonLevels: 64,
  /** Maximum JSON values in a body; checking more would delay all other requests. */
  jsonValues: 20_000,
  /** Maximum bytes of the request line and the headers together. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 2_000,
} as const

/** Returns the port that a server listens on; 0 if it has none. */
export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the host by which this machine reaches a server. */
export function localHost(server: Server): string {
  const port = portOf(server)
  return port === 0 ? 'localhost' : `localhost:${port}`
}

/** Closes a server with all its connections, including busy ones. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const mostBytes = 1024 * 1024

/** Reads a POST to a webhook receiver.
 *  @returns null above 1 MiB
 *  @throws Error if the request breaks off */
export async function readPosted(request: IncomingMessage): Promise<Posted | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > mostBytes) return null
    chunks.push(chunk)
  }
  return { headers: headersOf(request), bytes: Buffer.concat(chunks) }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
