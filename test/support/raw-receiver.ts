import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The bytes of one connection. */
export interface RawConnection {
  readonly text: string
  readonly headers: string
  readonly body: string
  /** Resolves once the other side has ended it or broken it off. */
  readonly ended: Promise<void>
}

/** An endpoint that answers nothing and looks at what comes, down to the end of each connection. */
export async function startRawReceiver(): Promise<{ url: string; connection: () => Promise<RawConnection> }> {
  const arrived: RawConnection[] = []
  const sockets: Socket[] = []
  let wake = () => {}
  const server = createServer((socket) => {
    sockets.push(socket)
    arrived.push(watched(socket))
    wake()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    connection: async () => {
      for (;;) {
        const next = arrived.shift()
        if (next !== undefined) return next
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function watched(socket: Socket): RawConnection {
  const chunks: Buffer[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.on('end', resolve)
  socket.on('close', () => resolve())
  const text = () => Buffer.concat(chunks).toString('utf8')
  return {
    ended,
    get text() {
      return text()
    },
    get headers() {
      return text().split('\r\n\r\n')[0] ?? ''
    },
    get body() {
      return text().split('\r\n\r\n').slice(1).join('\r\n\r\n')
    },
  }
}
