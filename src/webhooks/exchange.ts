import type { Dispatcher } from 'undici'
import type { AttemptOutcome } from '../domain/webhook/delivery.ts'
import { soon } from '../time/timers.ts'
import { stopwatch } from '../time/wall.ts'

/** The maximum length of an answer's body that is read. */
const readAtMost = 64 * 1024
/** The part of an answer's body that is passed on: twice what an attempt stores, because it is masked before it is
 *  cut. */
const keepAtMost = 8 * 1024

/** A receiver's answer to one POST, or its absence. */
export interface Answer {
  readonly outcome: Exclude<AttemptOutcome, 'unknown' | 'refused' | 'accepted'> | 'answered'
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly location: string | undefined
  readonly body: string | null
  readonly error: string | null
  readonly ms: number
}

/** One POST and its answer. The status line decides: a body that continues beyond the time-out, or breaks off, does
 *  not change the result. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** The answer with the read part of its body; null if the exchange was cut. */
  readonly answer: Promise<Answer | null>
  readonly #resolve: (answer: Answer | null) => void
  readonly #cancelTimeout: () => void
  readonly #onUnsendable: () => void
  readonly #wordsFor: (error: Error) => string
  readonly #onEnd: (exchange: Exchange) => void
  readonly #started = stopwatch()
  readonly #chunks: Buffer[] = []
  #size = 0
  #status: number | null = null
  #retryAfter: string | undefined
  #location: string | undefined
  #answeredMs = 0
  #ended = false
  #abort: (() => void) | undefined

  /** @param context callbacks for a request that undici refuses before sending and for the end of the exchange, and
   *    the wording of errors */
  constructor(
    timeoutMs: number,
    {
      onUnsendable,
      wordsFor,
      onEnd,
    }: {
      onUnsendable: () => void
      wordsFor: (error: Error) => string
      onEnd: (exchange: Exchange) => void
    },
  ) {
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    this.answer = promise
    this.#resolve = resolve
    this.#cancelTimeout = soon(timeoutMs, () => this.#expire(timeoutMs))
    this.#onUnsendable = onUnsendable
    this.#wordsFor = wordsFor
    this.#onEnd = onEnd
  }

  /** Whether the exchange is over. */
  get ended(): boolean {
    return this.#ended
  }

  /** Breaks the connection off without an answer. */
  cut(): void {
    if (!this.#ended) {
      this.#ended = true
      this.#cancelTimeout()
      this.#resolve(null)
      this.#onEnd(this)
    }
    this.#abort?.()
  }

  fail(error: Error): void {
    this.#end('connection', this.#wordsFor(error))
  }

  /** Called when the request is sent.
   *  @param abort breaks the connection off */
  begin(abort: () => void): void {
    this.#abort = abort
    // The exchange has ended while it waited for a connection.
    if (this.#ended) this.#abort()
  }

  /** Called with the headers of the answer. */
  respond(status: number, header: (name: string) => string | undefined): void {
    this.#status = status
    this.#answeredMs = stopwatch() - this.#started
    this.#retryAfter = header('retry-after')
    this.#location = header('location')
  }

  /** Called with a chunk of the answer's body. */
  receive(chunk: Buffer): void {
    if (this.#size < keepAtMost) this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size <= readAtMost) return
    this.#end('answered', null)
    this.#abort?.()
  }

  /** Called at the end of the answer. */
  complete(): void {
    this.#end('answered', null)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.begin(() => controller.abort(new Error('the emulator has stopped listening')))
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.respond(status, (name) => [headers[name]].flat()[0])
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.receive(chunk)
  }

  onResponseEnd(): void {
    this.complete()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#abort === undefined && 'code' in error && unsendable.includes(error.code)) this.#onUnsendable()
    this.fail(error)
  }

  #expire(timeoutMs: number): void {
    this.#end('timeout', `no answer within ${timeoutMs} ms`)
    this.#abort?.()
  }

  #keptBody(): string {
    if (this.#chunks.length === 0) return ''
    return Buffer.concat(this.#chunks).subarray(0, keepAtMost).toString('utf8')
  }

  #end(outcome: Answer['outcome'], error: string | null): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelTimeout()
    const answered = this.#status !== null
    this.#resolve({
      outcome: answered ? 'answered' : outcome,
      status: this.#status,
      retryAfter: this.#retryAfter,
      location: this.#location,
      body: answered ? this.#keptBody() : null,
      error: answered ? null : error,
      ms: Math.round(answered ? this.#answeredMs : stopwatch() - this.#started),
    })
    this.#onEnd(this)
  }
}

/** undici's error codes for requests that it does not even start to send. */
const unsendable: readonly unknown[] = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']
