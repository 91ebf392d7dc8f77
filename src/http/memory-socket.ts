import { Duplex } from 'node:stream'
import { after } from '../time/timers.ts'

/** Maximum delay of a Node timer: about 24 days. */
const longestMs = 2 ** 31 - 1

/** One end of a connection within this process, without network, port or handle. For HTTP it behaves like a TCP
 *  socket: it has back pressure, can be reset, and either side can close it. */
export class MemorySocket extends Duplex {
  #other: MemorySocket | undefined
  /** Called when the data was taken, so that the other end can continue writing. */
  #taken: (() => void) | undefined
  #resets = false
  #ended = false
  #letGo: (() => void) | undefined

  /** Creates both ends of a connection. The caller's end closes automatically after the server's, like a client's
   *  socket. */
  static pair(): { caller: MemorySocket; server: MemorySocket } {
    const caller = new MemorySocket({ allowHalfOpen: false })
    const server = new MemorySocket({ allowHalfOpen: true })
    caller.#other = server
    server.#other = caller
    caller.ref()
    return { caller, server }
  }

  /** Keeps the process alive while the socket is open, like a caller's socket that waits for an answer. */
  ref(): this {
    this.#letGo ??= after(longestMs, () => {})
    return this
  }

  unref(): this {
    this.#letGo?.()
    this.#letGo = undefined
    return this
  }

  /** Closes the socket so that the other end sees a reset (ECONNRESET) instead of an orderly end. */
  resetAndDestroy(): this {
    this.#resets = true
    return this.destroy()
  }

  /** Closes the socket once all written data has arrived. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }

  override _read(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const other = this.#other
    if (other === undefined || other.destroyed) done(brokenPipe())
    else if (other.push(chunk)) done()
    else other.#taken = done
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#signalEnd(false)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.unref()
    // The other end must not wait for this end to read.
    this.#taken?.()
    this.#taken = undefined
    this.#signalEnd(this.#resets)
    done(error)
  }

  /** Signals the end to the other socket in a later turn of the event loop, as a network would: `fetch` cannot
   *  handle losing a connection that it has just opened. */
  #signalEnd(wasReset: boolean): void {
    const other = this.#other
    if (other !== undefined) setImmediate(() => other.#lost(wasReset))
  }

  #lost(wasReset: boolean): void {
    if (this.destroyed) return
    if (wasReset) this.destroy(connectionReset())
    else if (!this.#ended) this.push(null)
    this.#ended = true
  }
}

const connectionReset = () =>
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
const brokenPipe = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
