import type { Arrival } from './recorder.ts'

/** How an endpoint answers one attempt: a status, with a `Retry-After` in seconds if it asks for one, after some real
 *  milliseconds; or never. */
export interface Answer {
  readonly status: number | 'none'
  readonly retryAfter?: number
  readonly afterMs?: number
}

/** Decides about the attempts of a webhook, from 1. */
export type Plan = (attempt: number) => Answer

const ok: Answer = { status: 200 }

/** The webhook endpoint of an application: it mostly answers 200, and by plan for webhooks of some orders. */
export class Receiver {
  readonly #plans = new Map<string, Plan>()
  /** The orders of which a webhook was not answered in time. */
  readonly timedOut = new Set<string>()
  readonly #attempts = new Map<string, number>()
  readonly #arrivals: Arrival[]
  readonly #now: () => Promise<number>

  constructor(arrivals: Arrival[], now: () => Promise<number>) {
    this.#arrivals = arrivals
    this.#now = now
  }

  /** Sets how webhooks about an order are answered. */
  plan(requestId: string, plan: Plan): void {
    this.#plans.set(requestId, plan)
  }

  readonly receive = async (request: Request): Promise<Response> => {
    const begun = performance.now()
    const at = await this.#now()
    const headers = Object.fromEntries(request.headers)
    const body = await request.text()
    const arrival = { url: request.url, headers, body, at }
    const content = contentOf(headers, body)
    const { status, retryAfter, afterMs = 0 } = this.#answerTo(content)
    const wait = status === 'none' ? tooLongMs : afterMs
    const isOver = wait > 0 && !(await lasts(wait, request.signal))
    const ms = Math.round(performance.now() - begun)
    if (status === 'none' || isOver) {
      this.#arrivals.push({ ...arrival, status: null, ms, responseHeaders: {} })
      for (const requestId of this.#plans.keys())
        if (content.includes(requestId)) this.timedOut.add(requestId)
      return new Response(null, { status: 500 })
    }
    const responseHeaders: Record<string, string> = { 'content-type': 'text/plain' }
    if (retryAfter !== undefined) responseHeaders['retry-after'] = String(retryAfter)
    this.#arrivals.push({ ...arrival, status, ms, responseHeaders })
    return new Response(status === 204 ? null : 'ok', { status, headers: responseHeaders })
  }

  #answerTo(content: string): Answer {
    const attempt = (this.#attempts.get(content) ?? 0) + 1
    this.#attempts.set(content, attempt)
    const planned = [...this.#plans].find(([requestId]) => content.includes(requestId))
    return planned?.[1](attempt) ?? ok
  }
}

/** Longer than any time-out of the hidden settings. */
const tooLongMs = 30_000

/** Waits for some time.
 *  @returns false if the sender has given up before */
function lasts(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}

/** The content of a webhook, the same in every attempt: its body, and the claims of a token without its times. */
function contentOf(headers: Readonly<Record<string, string>>, body: string): string {
  const tokens = [body, ...Object.values(headers)].flatMap((text) => [...text.matchAll(jwtPattern)])
  const claims = tokens.map(([, part = '']) => Buffer.from(part, 'base64url').toString('utf8'))
  const own = body.replaceAll(jwtPattern, '')
  return own + claims.map((text) => text.replaceAll(/"(iat|exp)":\d+,?/g, '')).join('')
}

const jwtPattern = /eyJ[\w-]+\.([\w-]+)\.[\w-]+/g
