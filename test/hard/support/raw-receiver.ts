import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A webhook endpoint without an HTTP server in between, for answers that such a server would not give. */
export interface RawReceiver {
  readonly url: string
  /** The heads of all requests that arrived whole, in order. */
  readonly requests: readonly string[]
  /** Connections that were accepted. */
  readonly connections: () => number
  /** The most that were open at the same time. */
  readonly mostAtOnce: () => number
}

/** Does something with the connection on which a whole request has arrived.
 *  @param count requests so far, this one included */
export type Answerer = (socket: Socket, count: number) => void

/** @param onConnection what the receiver does before it has read anything */
export async function startRawReceiver(
  answer: Answerer,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawReceiver> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let mostAtOnce = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    mostAtOnce = Math.max(mostAtOnce, sockets.size)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
        requests.push(text.slice(0, text.indexOf('\r\n\r\n')))
        text = text.slice(end)
        answer(socket, requests.length)
      }
    })
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  return { url, requests, connections: () => connections, mostAtOnce: () => mostAtOnce }
}

/** Where the first request of the text ends; 0 if it has not arrived whole. */
function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
  return text.length >= head + 4 + length ? head + 4 + length : 0
}
