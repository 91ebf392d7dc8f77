import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { CliError } from '../cli-error.ts'
import { urlAt } from '../emulator-url.ts'

/** An open port whose connections wait for a server. */
export interface HeldPort {
  /** Connects the server to the port; it first serves the connections that wait. */
  readonly handTo: (server: Server) => Promise<void>
  /** Closes the port and the connections that wait. */
  readonly release: () => void
}

/** Opens the port before the database, so that a start that must fail changes nothing. The port stays open, because
 *  a client that waits for it by connecting would otherwise be refused shortly after it succeeded.
 *  @throws CliError */
export function holdPort(host: string, port: number): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const early: Socket[] = []
    const holder = createServer({ pauseOnConnect: true }, (socket) => early.push(socket))
    const handTo = async (server: Server) => {
      const listening = once(server, 'listening')
      server.listen(holder)
      await listening
      for (const socket of early) {
        server.emit('connection', socket)
        socket.resume()
      }
    }
    const release = () => {
      holder.close()
      for (const socket of early) socket.destroy()
    }
    holder.once('error', (error) => cannotHold(error, host, port).then(reject))
    holder.listen({ host, port }, () => resolve({ handTo, release }))
  })
}

async function cannotHold(error: Error, host: string, port: number): Promise<CliError> {
  const refusal = cannotListen(error, host, port)
  if (!('code' in error) || error.code !== 'EADDRINUSE') return refusal
  const { emulatorAt } = await import('../health/health.ts')
  const url = urlAt(host, port)
  const other = await emulatorAt(url)
  if (other === null) return refusal
  const { version, pid } = other
  return new CliError(
    2,
    `error: port ${port} is in use by another emulator (version ${version}${pid === '' ? '' : `, pid ${pid}`}, dashboard ${url}/_emulator/); use it, stop it, or choose another port with \`--port\` (\`--port 0\` picks a free one)`,
  )
}

/** Builds the error for a port that cannot be opened. */
export function cannotListen(error: Error, host: string, port: number): CliError {
  const code = 'code' in error ? error.code : ''
  return new CliError(2, `error: ${wordsFor(code, host, port) ?? error.message}`)
}

function wordsFor(code: unknown, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use; stop the program that uses it, or choose another port with \`--port\` (\`--port 0\` picks a free one)`
    case 'EACCES':
      return `this user may not open port ${port}; choose another port with \`--port\` (\`--port 0\` picks a free one)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `--host: this machine has no address ${JSON.stringify(host)}; use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses`
    default:
      return undefined
  }
}
