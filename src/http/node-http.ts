import type { IncomingMessage, Server } from 'node:http'

/** How much anyone may send, and how long it may take (N33). `docs/explanation/reliability.md` lists the limits. */
export const limits = {
  /** 1 MiB. */
  bodyBytes: 1024 * 1024,
  jsonLevels: 64,
  /** Checking more would keep everyone else waiting. */
  jsonValues: 20_000,
  /** The first line and the headers together. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  connections: 2_000,
} as const

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

/** What has been POSTed, all of it. */
export interface Posted {
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

const mostBytes = 1024 * 1024

/** Reads what somebody POSTs to a receiver of webhooks.
 *  @returns null for more than 1 MiB
 *  @throws Error if it breaks off */
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
