import { createHmac } from 'node:crypto'

/** Where the payment service is, and who we are there. */
export interface Account {
  readonly baseUrl: string
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
}

interface Call {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The payment service, as this shop uses it. */
export class Payments {
  readonly #account: Account

  constructor(account: Account) {
    this.#account = account
  }

  /** Opens an order. @param callbackUrl where the browser goes when the payer is done
   *  @returns the URL of the payment page */
  async open(requestId: string, fiatAmount: string, callbackUrl: string): Promise<string> {
    const { clientId, apiSecret } = this.#account
    const order = { currencyId: 'usd_us', fiatAmount, email: 'buyer@example.com', requestId, clientId }
    const text = `fiatAmount=${fiatAmount}&requestId=${requestId}`
    const signature = createHmac('sha256', apiSecret).update(text).digest('base64')
    const body = JSON.stringify({ ...order, mode: 'returnUrl', callbackUrl })
    const { url } = await this.#call<{ url: string }>('/v1/client/checkout/create-order', {
      method: 'POST',
      headers: { signature },
      body,
    })
    return url
  }

  /** @returns `CREATED`, `COMPLETED`, `FAILED`, or undefined if there is no such order */
  async status(requestId: string): Promise<string | undefined> {
    const query = new URLSearchParams({ requestId, clientId: this.#account.clientId })
    const { data } = await this.#call<{ data: { orderStatus: string }[] }>(`/v1/client/orders?${query}`, {})
    return data[0]?.orderStatus
  }

  async #call<Answer>(path: string, { headers, ...request }: Call): Promise<Answer> {
    const response = await fetch(this.#account.baseUrl + path, {
      ...request,
      headers: { 'access-token': this.#account.accessToken, 'content-type': 'application/json', ...headers },
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return JSON.parse(await response.text())
  }
}
