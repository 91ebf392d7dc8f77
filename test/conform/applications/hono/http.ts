/** What the payment service answered; `body` is undefined if it was no JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** A call of the payment service. */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** Nobody knows whether the service has done what it was asked, or what it knows. Ask again later. */
export class NoClearAnswer extends Error {
  override readonly name = 'NoClearAnswer'
}

/** HTTP with a time limit, which keeps still for as long as the service has asked for. */
export class Http {
  readonly #timeoutMs: number
  #notBefore = 0

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** How long nothing is sent yet, milliseconds; 0 if there is nothing to wait for. */
  get pauseMs(): number {
    return Math.max(0, this.#notBefore - Date.now())
  }

  /** @throws NoClearAnswer if there is none below 500 in time, or too much has been asked lately */
  async send(call: Call): Promise<Answer> {
    if (this.pauseMs > 0) throw new NoClearAnswer(`The service wants no calls for ${this.pauseMs} ms`)
    const answer = await this.#answerTo(call)
    if (answer.status === 429) this.#notBefore = Date.now() + retryAfterMs(answer.headers)
    if (answer.status === 429 || answer.status >= 500)
      throw new NoClearAnswer(`${call.method} ${call.url} brought ${answer.status}`)
    return answer
  }

  async #answerTo({ method, url, headers, body }: Call): Promise<Answer> {
    try {
      const response = await fetch(url, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
    } catch (error) {
      throw new NoClearAnswer(`${method} ${url} brought no answer`, { cause: error })
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After is a number of seconds or a date; without a good one, a second is kept. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : 1000
}
