import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

/** Opens a keep-alive connection. */
export function open(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.once('connect', () => resolve(socket)).once('error', reject)
  return promise
}

/** Requests that several connections send together. */
export interface Work {
  /** The next request; undefined once there is none left. */
  next(): Buffer | undefined
  /** Told of each answer. @param latencyMs since the request was sent */
  answered(latencyMs: number): void
}

/** Sends one request after the other, each when the one before has been answered, until there is none left.
 *  Written on the bare socket: an HTTP client would be slower than the servers it measures.
 *  @throws if any answer is not a 200 or 201 */
export function drive(socket: Socket, work: Work): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sentAt = 0
  const send = () => {
    const request = work.next()
    if (request === undefined) return resolve()
    sentAt = performance.now()
    socket.write(request)
  }
  const answered = () => {
    work.answered(performance.now() - sentAt)
    send()
  }
  listen(socket, answered, reject)
  send()
  return promise
}

/** Tells of each answer of a connection that has one request under way at a time.
 *  @param failed told of an answer that is not a 200 or 201, and of a connection that ends */
export function listen(socket: Socket, answered: () => void, failed: (error: unknown) => void): void {
  const reader = new AnswerReader()
  socket.on('error', failed)
  socket.on('close', () => failed(new Error('the server closed a connection')))
  socket.on('data', (chunk: Buffer) => {
    try {
      if (!reader.ends(chunk)) return
    } catch (error) {
      return failed(error)
    }
    answered()
  })
}
