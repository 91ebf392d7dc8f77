import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Ports below the ranges that systems give to connections and to port 0 (Linux from 32768 on, others from 49152),
 *  in pairs: a port, and its guard above. */
const usual = { lowest: 21_000, count: 5_000 }

/** Finds a free port of 127.0.0.1 for a program that must be given its port. It stays reserved while this process
 *  runs: port 0 never returns it, and other callers of this function see the guard port in use.
 *  @param pairs the number of pairs, and the lowest port
 *  @throws Error if none of a thousand tried ports is free */
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
