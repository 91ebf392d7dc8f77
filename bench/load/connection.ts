import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A keep-alive connection with one request at a time, on the bare socket: an HTTP client would be slower than the
 *  servers that it measures. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: PromiseWithResolvers<void> | undefined

  static async open(port: number): Promise<Connection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Connection(socket)
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed a connection')))
  }

  /** Sends a request and waits for its answer. @throws if that is not a 200 or 201 */
  request(bytes: Buffer): Promise<void> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(bytes)
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    try {
      if (!isComplete(this.#received)) return
      this.#received = Buffer.alloc(0)
      this.#waiting?.resolve()
    } catch (error) {
      this.#waiting?.reject(error)
    }
  }
}

/** Whether these bytes are a whole answer. @throws if the answer is not a 200 or 201, or has no length */
export function isComplete(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = answer.toString('latin1', 0, end)
  if (!/^HTTP\/1\.1 20[01] /.test(head)) throw new Error(`neither 200 nor 201: ${answer.toString()}`)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`an answer without a length: ${head}`)
  return answer.subarray(-7).toString('latin1').endsWith('\r\n0\r\n\r\n')
}
