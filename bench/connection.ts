import { connect, type Socket } from 'node:net'

/** Opens a keep-alive connection. */
export function open(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.once('connect', () => resolve(socket)).once('error', reject)
  return promise
}

/** Sends one request after the other, each when the one before has been answered, until there is none left.
 *  Written on the bare socket: an HTTP client would be slower than the servers it measures.
 *  @throws if any answer is not a 200 */
export function drive(socket: Socket, nextRequest: () => Buffer | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received: Buffer = Buffer.alloc(0)
  const send = () => {
    const request = nextRequest()
    if (request === undefined) resolve()
    else socket.write(request)
  }
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the server closed a connection')))
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      if (received.length < answerLength(received)) return
    } catch (error) {
      reject(error)
      return
    }
    received = Buffer.alloc(0)
    send()
  })
  send()
  return promise
}

/** How long an answer is; Infinity as long as its head is not there. */
function answerLength(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return Infinity
  const head = received.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`not a 200: ${received.toString()}`)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return end + 4 + Number(length)
}
