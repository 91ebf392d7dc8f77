import { createHmac } from 'node:crypto'
import { z } from 'zod'

/** Where the payment service is, and who we are there. */
export interface Account {
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
}

/** The payment that a customer has to make. Each order needs its own requestId. */
export interface Payment {
  readonly requestId: string
  readonly amount: string
  readonly email: string
}

interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const created = z.object({ token: z.string() })
const found = z.object({
  data: z.array(
    z.object({ orderStatus: z.string(), errorReason: z.object({ errorCode: z.string() }).optional() }),
  ),
})
const issued = z.object({ accessToken: z.string() })
const alreadyExists = z.object({ error: z.object({ code: z.literal('7001') }) })
const tokenRefused = z.object({ error: z.string() })

/** It is unknown whether the service has carried out the call. */
export class NoClearAnswer extends Error {
  override readonly name = 'NoClearAnswer'
}

/** The payment service, as this shop uses it. */
export class Payments {
  readonly #account: Account
  readonly #timeLimitMs: number
  #accessToken: string

  constructor(account: Account, timeLimitMs: number) {
    this.#account = account
    this.#timeLimitMs = timeLimitMs
    this.#accessToken = account.accessToken
  }

  /** Opens an order, and repeats the call if necessary: a requestId has one order at most.
   *  @returns the token of the payment page; null if the order already existed: the service sends it only once */
  async open(payment: Payment): Promise<string | null> {
    try {
      return await this.#create(payment)
    } catch (error) {
      if (!(error instanceof NoClearAnswer)) throw error
      const order = await this.lookUp(payment.requestId)
      return order === undefined ? this.#create(payment) : null
    }
  }

  /** Looks an order up; undefined if there is none. */
  async lookUp(requestId: string) {
    const { baseUrl, clientId } = this.#account
    const query = new URLSearchParams({ requestId, clientId })
    const answer = await this.#call({ method: 'GET', url: `${baseUrl}/v1/client/orders?${query}` })
    if (answer.status !== 200) throw unexpected(answer)
    return found.parse(answer.body).data[0]
  }

  async #create({ requestId, amount, email }: Payment): Promise<string | null> {
    const { baseUrl, clientId, apiSecret } = this.#account
    const answer = await this.#call({
      method: 'POST',
      url: `${baseUrl}/v1/client/checkout/create-order`,
      headers: { signature: sign(`fiatAmount=${amount}&requestId=${requestId}`, apiSecret) },
      body: { currencyId: 'usd_us', fiatAmount: amount, email, requestId, clientId },
    })
    if (alreadyExists.safeParse(answer.body).success) return null
    if (answer.status !== 200) throw unexpected(answer)
    return created.parse(answer.body).token
  }

  /** A 401 is about the token if its error is a text, and about the order if it is an object. */
  async #call(request: Request): Promise<Answer> {
    const answer = await this.#send(request)
    if (answer.status !== 401 || !tokenRefused.safeParse(answer.body).success) return answer
    await this.#renewToken()
    return this.#send(request)
  }

  async #renewToken(): Promise<void> {
    const { tokenUrl, clientId, apiSecret } = this.#account
    const answer = await this.#send({ method: 'POST', url: tokenUrl, body: { clientId, apiSecret } })
    if (answer.status !== 200) throw unexpected(answer)
    this.#accessToken = issued.parse(answer.body).accessToken
  }

  async #send({ method, url, headers, body }: Request): Promise<Answer> {
    try {
      const response = await fetch(url, {
        method,
        headers: { 'access-token': this.#accessToken, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(this.#timeLimitMs),
        ...(body && { body: JSON.stringify(body) }),
      })
      if (response.status >= 500) throw new Error(`status ${response.status}`)
      return { status: response.status, body: await response.json() }
    } catch (error) {
      throw new NoClearAnswer(`No clear answer to ${method} ${url}`, { cause: error })
    }
  }
}

function sign(text: string, apiSecret: string): string {
  return createHmac('sha256', apiSecret).update(text).digest('base64')
}

function unexpected({ status, body }: Answer): Error {
  return new Error(`The payment service answered ${status} ${JSON.stringify(body)}`)
}
