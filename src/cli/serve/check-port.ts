import { createServer } from 'node:net'
import { GiveUp } from '../give-up.ts'

/** Makes sure that the port can be had, before the database is opened: a start that must fail changes nothing.
 *  @throws GiveUp */
export function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer((socket) => socket.destroy())
    probe.once('error', (error) => reject(cannotListen(error, host, port)))
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })
}

/** Why a port could not be opened, for the one who chose it. */
export function cannotListen(error: Error, host: string, port: number): GiveUp {
  const code = 'code' in error ? error.code : ''
  return new GiveUp(2, `error: ${wordsFor(code, host, port) ?? error.message}`)
}

function wordsFor(code: unknown, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is taken; stop what uses it, or choose another with --port (--port 0 picks a free one)`
    case 'EACCES':
      return `port ${port} may not be opened by this user; choose another with --port (--port 0 picks a free one)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `--host: this machine has no address ${JSON.stringify(host)}; 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses`
    default:
      return undefined
  }
}
