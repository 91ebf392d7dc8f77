import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection that makes a request and does not read the answer until it is told to. */
export class SlowReader {
  readonly #socket: Socket
  readonly closed: Promise<void>

  constructor(url: string, path: string) {
    const { hostname, port, host } = new URL(url)
    this.#socket = connect({ host: hostname, port: Number(port) })
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()))
    // Cut is what it may be.
    this.#socket.on('error', () => {})
    this.#socket.pause()
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    onTestFinished(() => {
      this.#socket.destroy()
    })
  }

  /** Reads all that is left, and answers how many bytes there were until the connection ended. */
  async readToTheEnd(): Promise<number> {
    this.#socket.resume()
    await this.closed
    return this.#socket.bytesRead
  }
}
