import type { EpochMs } from '../../domain/text/time.ts'

/** Where an observation was read: a file, and the place in it, such as `entry 12` or `line 3`. */
export interface Source {
  readonly file: string
  readonly place: string
}

/** Headers by name in lower case. Several of one name are joined with `, `. */
export type Headers = Readonly<Record<string, string>>

/** A request and its answer, in the form that all captures are read into. */
export interface Exchange {
  readonly source: Source
  /** When the request was sent, by the clock of the capture. */
  readonly at: EpochMs
  /** Milliseconds until the answer had arrived; null if the capture does not say. */
  readonly ms: number | null
  readonly method: string
  /** Scheme, host and port, such as `https://api.example.com`; null if the capture has only a path. */
  readonly origin: string | null
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The body of the request; null if the capture has none. */
  readonly body: string | null
  /** Whether `body` has the very characters that were sent; false for one that the capture holds as parsed JSON, masked
   *  or cut off. Signatures of others cannot be checked. */
  readonly isExact: boolean
  /** The status of the answer; null without one (a time-out, a refused connection) or if the capture does not say. */
  readonly status: number | null
  readonly responseHeaders: Headers
  /** The body of the answer; null if the capture has none. */
  readonly response: string | null
  /** Whether the capture says what became of the request: an answer, or that none came. */
  readonly isAnswered: boolean
}

/** What a capture says that an exchange is: a webhook, a call, or nothing (then its path and its content decide). */
export type Direction = 'webhook' | 'call' | null
