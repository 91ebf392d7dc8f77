import { Duplex } from 'node:stream'
import { after } from '../time/timers.ts'

/** The longest that a timer takes: some 24 days. */
const longestMs = 2 ** 31 - 1

/** One end of a connection within this process. It does what a TCP socket does as far as HTTP can tell: it has back
 *  pressure, is closed by either side, and can be reset; but there is no network, no port and no handle. */
export class MemorySocket extends Duplex {
  #other: MemorySocket | undefined
  /** Lets the other end go on writing. */
  #taken: (() => void) | undefined
  #resets = false
  /** Has been told that nothing more comes. */
  #ended = false
  #letGo: (() => void) | undefined

  /** Two ends of one connection: the caller's closes once the other has, as a client's socket does. */
  static pair(): { caller: MemorySocket; server: MemorySocket } {
    const caller = new MemorySocket({ allowHalfOpen: false })
    const server = new MemorySocket({ allowHalfOpen: true })
    caller.#other = server
    server.#other = caller
    caller.ref()
    return { caller, server }
  }

  /** Keeps the process alive while it is open, as a caller's socket does: somebody waits for an answer. */
  ref(): this {
    this.#letGo ??= after(longestMs, () => {})
    return this
  }

  /** Does so no longer. */
  unref(): this {
    this.#letGo?.()
    this.#letGo = undefined
    return this
  }

  /** Closes it so that the other end learns of a reset (ECONNRESET) instead of an orderly end. */
  resetAndDestroy(): this {
    this.#resets = true
    return this.destroy()
  }

  /** Closes it once everything written has arrived. */
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
    this.#tell(false)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.unref()
    // What this end has not read any more, the other must not wait for.
    this.#taken?.()
    this.#taken = undefined
    this.#tell(this.#resets)
    done(error)
  }

  /** In a later turn, as it comes over a network: `fetch` is not ready to lose what it has just got. */
  #tell(wasReset: boolean): void {
    const other = this.#other
    if (other !== undefined) setImmediate(() => other.#lost(wasReset))
  }

  /** The other end sends no more. */
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
