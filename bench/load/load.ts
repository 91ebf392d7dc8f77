import type { RequestShape } from './requests.ts'

/** Requests of one shape, sent over some connections. Each of them waits for an answer before it sends the next. */
export interface Load {
  readonly shape: RequestShape
  readonly port: number
  readonly connections: number
  /** Number of the first request. */
  readonly first: number
  readonly count: number
  /** How many different requests there are; they are sent again and again. Without it every one is new. */
  readonly different?: number | undefined
  /** So many have their turn each second, at an even pace; without it each connection sends as soon as it is answered. */
  readonly perSecond?: number | undefined
}

/** What came of a load. */
export interface LoadEnd {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How much of its core the busiest process of the load has used, 0 to 1. Near 1 it is the load that was measured. */
  readonly generatorBusy: number
}

/** What one process of the load has measured. */
export interface Part {
  readonly seconds: number
  readonly cpuSeconds: number
  /** From sending to answer, milliseconds, one for each request. */
  readonly latencies: Float64Array
}

/** What the processes of the load are told and tell: prepare a load, it is ready; send it, it has ended. */
export type ToGenerator = { readonly prepare: Load } | 'send'
export type FromGenerator = 'ready' | { readonly part: Part } | { readonly failure: string }
