import { IncomingMessage } from 'node:http'

/** A request whose body can be taken as Node's parser brings it, past the stream that it is otherwise read from. A
 *  stream begins to flow, ends and is closed, each in a tick of its own: a fifteenth of what a create call computes. */
export class IncomingRequest extends IncomingMessage {
  /** Node's short way for a request without a body (`optimizeEmptyRequests`): its stream is over. Since Node 24.12. */
  declare _dumpAndCloseReadable?: () => void
  #taker: Taker | null = null

  /** Whether the body is being taken, or some of it has been. */
  get isTaken(): boolean {
    const taker = this.#taker
    return taker !== null && (taker.hasBegun || !taker.isOver)
  }

  /** Takes the body, instead of reading the stream; once.
   *  @param most taking ends as soon as there are more bytes than that, and what still comes is the stream's
   *  @throws Error if the connection is closed before the end */
  takeBody(most: number): Promise<Buffer> {
    const taker = new Taker(most)
    this.#taker = taker
    // What came before anybody asked.
    if (this.readableLength > 0) taker.take(this.read())
    if (this.complete) taker.finish()
    return taker.body
  }

  /** Called by the parser with each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    const taker = this.#taker
    if (taker === null || taker.isOver) return super.push(piece)
    if (piece !== null) taker.take(piece)
    else {
      this.#endStream()
      taker.finish()
    }
    return true
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    super._destroy(error, done)
    this.#taker?.breakOff()
  }

  #endStream(): void {
    if (this._dumpAndCloseReadable !== undefined) this._dumpAndCloseReadable()
    else {
      super.push(null)
      this.resume()
    }
  }
}

/** What is taken of a body. */
class Taker {
  readonly #most: number
  readonly #whole = Promise.withResolvers<Buffer>()
  #pieces: Buffer[] = []
  #size = 0
  /** Nothing more is taken. */
  isOver = false

  constructor(most: number) {
    this.#most = most
  }

  get body(): Promise<Buffer> {
    return this.#whole.promise
  }

  get hasBegun(): boolean {
    return this.#size > 0
  }

  take(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size > this.#most) this.finish()
  }

  finish(): void {
    const pieces = this.#pieces
    const [first] = pieces
    this.isOver = true
    // The request lives until its answer has left, and would keep the bytes as long.
    this.#pieces = []
    // Nearly all come in one piece, which needs no copy. Deno's pieces are no buffers.
    const isWhole = pieces.length === 1 && Buffer.isBuffer(first)
    this.#whole.resolve(isWhole ? first : Buffer.concat(pieces))
  }

  breakOff(): void {
    this.#whole.reject(new Error('The connection was closed before the end of the body'))
  }
}
