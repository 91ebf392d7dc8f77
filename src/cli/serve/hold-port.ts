import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { CliError } from '../cli-error.ts'
import { urlAt } from '../control-call.ts'

/** A port that is ours, though nobody answers on it yet. */
export interface HeldPort {
  /** Has a server answer on it, and those first who have connected meanwhile. */
  readonly handTo: (server: Server) => Promise<void>
  /** Lets it go, and whoever has connected. */
  readonly release: () => void
}

/** Takes a port before the database is opened: a start that must fail changes nothing. It stays open from then on; whoever
 *  waits for it by connecting would else be refused a moment after he could.
 *  @throws GiveUp */
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

/** Why a port could not be opened, for the one who chose it. */
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
