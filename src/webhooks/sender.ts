import { Pool } from 'undici'
import type { AttemptOutcome } from '../domain/delivery.ts'
import { every } from '../time/timers.ts'
import { stopwatch } from '../time/wall.ts'

/** Of an answer's body, at most this much is read, and this much kept. */
const readAtMost = 64 * 1024
const keepAtMost = 4 * 1024
const sweepEveryMs = 100
/** Sockets to one origin, so that a hung endpoint never takes more (and never another endpoint's). */
export const connectionsPerOrigin = 16

/** How the receiver took one POST. */
export interface Answer {
  readonly outcome: Exclude<AttemptOutcome, 'unknown' | 'refused' | 'accepted'> | 'answered'
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly body: string | null
  readonly error: string | null
  readonly ms: number
}

interface Late {
  readonly deadline: number
  readonly expire: () => void
}

/** Sends POSTs through one pool of connections per origin. Redirects are not followed, bodies not decompressed. */
export class Sender {
  readonly #pools = new Map<string, Pool>()
  readonly #underWay = new Set<Late>()
  #stopSweep: (() => void) | undefined

  /** Sends one POST and resolves when its answer has been read (as far as wanted), failed, or is late.
   *  The verdict falls with the status line: a body that drips on beyond the time-out does not change it. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    timeoutMs: number,
  ): Promise<Answer> {
    const target = new URL(url)
    const pool = this.#poolOf(target.origin)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const started = stopwatch()
    const chunks: Buffer[] = []
    let size = 0
    let status: number | null = null
    let retryAfter: string | undefined
    let answeredMs = 0
    let abort: (() => void) | undefined

    const end = (failure: { outcome: 'timeout' | 'connection'; error: string } | null) => {
      if (!this.#underWay.delete(late)) return
      const text = Buffer.concat(chunks).subarray(0, keepAtMost).toString('utf8')
      const answered = status !== null
      resolve({
        outcome: answered || failure === null ? 'answered' : failure.outcome,
        status,
        retryAfter,
        body: answered ? text : null,
        error: answered || failure === null ? null : failure.error,
        ms: Math.round(answered ? answeredMs : stopwatch() - started),
      })
      if (failure !== null) abort?.()
    }
    const late: Late = {
      deadline: started + timeoutMs,
      expire: () => end({ outcome: 'timeout', error: `no answer within ${timeoutMs} ms` }),
    }
    this.#watch(late)

    const request = {
      path: `${target.pathname}${target.search}`,
      method: 'POST',
      headers: { ...headers },
      body,
    } as const
    try {
      pool.dispatch(request, {
        onRequestStart: (controller) => {
          abort = () => controller.abort(new Error('the emulator has stopped listening'))
          if (!this.#underWay.has(late)) abort()
        },
        onResponseStart: (_, statusCode, answerHeaders) => {
          if (statusCode < 200) return
          status = statusCode
          answeredMs = stopwatch() - started
          const header = answerHeaders['retry-after']
          retryAfter = Array.isArray(header) ? header[0] : header
        },
        onResponseData: (_, chunk) => {
          if (size < keepAtMost) chunks.push(chunk)
          size += chunk.length
          if (size > readAtMost) {
            end(null)
            abort?.()
          }
        },
        onResponseEnd: () => end(null),
        onResponseError: (_, error) => end({ outcome: 'connection', error: words(error) }),
      })
    } catch (error) {
      // undici throws at once for what it can't put on the wire at all.
      end({ outcome: 'connection', error: error instanceof Error ? words(error) : String(error) })
    }
    return promise
  }

  /** Cuts whatever is still under way. */
  async destroy(): Promise<void> {
    this.#endSweep()
    this.#underWay.clear()
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  #poolOf(origin: string): Pool {
    let pool = this.#pools.get(origin)
    if (pool === undefined) {
      // undici's own time-outs are coarse, and a dripping body outlives them; ours are above.
      pool = new Pool(origin, { connections: connectionsPerOrigin, headersTimeout: 0, bodyTimeout: 0 })
      this.#pools.set(origin, pool)
    }
    return pool
  }

  /** One coarse sweep for all requests, instead of a timer for each. */
  #watch(late: Late): void {
    this.#underWay.add(late)
    this.#stopSweep ??= every(sweepEveryMs, () => {
      const now = stopwatch()
      for (const one of this.#underWay) if (one.deadline <= now) one.expire()
      if (this.#underWay.size === 0) this.#endSweep()
    })
  }

  #endSweep(): void {
    this.#stopSweep?.()
    this.#stopSweep = undefined
  }
}

/** The cause in words; Node gives some connection errors a code and no message. */
function words(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return words(error.errors[0])
  return error.message !== '' ? error.message : code
}
