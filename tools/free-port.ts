import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Ports below those that a system gives to whoever asks it for any, and to each connection that leaves it (Linux from
 *  32768 on, others from 49152). Two by two: a port, and above it its guard. */
const usual = { lowest: 21_000, count: 5_000 }

/** A port of 127.0.0.1 that nobody listens on, for a program that has to be told its port. It stays the caller's for as
 *  long as this process runs: whoever asks the system for any port gets another, and so does whoever asks here, in
 *  whatever process, since this one listens on the guard until it ends.
 *  @param pairs how many pairs of ports to choose from, and the lowest of all
 *  @throws Error if none is free, of a thousand that were tried */
export async function freePort(pairs = usual): Promise<number> {
  for (let tries = 0; tries < 1000; tries++) {
    const port = pairs.lowest + 2 * randomInt(pairs.count)
    const guard = await listening(port + 1)
    const probe = guard && (await listening(port))
    if (probe) {
      guard.unref()
      await new Promise((resolve) => probe.close(resolve))
      return port
    }
    guard?.close()
  }
  throw new Error(`no port is free from ${pairs.lowest} on`)
}

/** @returns null where the port is taken */
async function listening(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null
    throw error
  }
}
