const { createHmac } = require('node:crypto')

/** The payment service, as the magazine uses it. */
class Payments {
  #account

  /** @param account `{baseUrl, clientId, apiSecret, accessToken}` */
  constructor(account) {
    this.#account = account
  }

  /** Begins a monthly subscription. @returns {Promise<string>} the token for the payment page */
  async subscribe({ id, email, trialDays }) {
    const order = {
      currencyId: 'usd_us',
      fiatAmount: '9.90',
      requestId: id,
      interval: 'MONTHLY',
      trialPeriodDays: String(trialDays),
    }
    const signed = new URLSearchParams(order).toString()
    const signature = createHmac('sha256', this.#account.apiSecret).update(signed).digest('base64')
    const body = JSON.stringify({ ...order, email, clientId: this.#account.clientId })
    const { token } = await this.#call('/v1/client/subscription/create-order', {
      method: 'POST',
      headers: { signature },
      body,
    })
    return token
  }

  /** All charges of a subscription that have ended, the oldest first. They share its id (requestId), and each has an
   *  orderId of its own. @returns {Promise<{orderId: string, status: string, at: number}[]>} */
  async charges(id) {
    const query = new URLSearchParams({ requestId: id, clientId: this.#account.clientId })
    const { data } = await this.#call(`/v1/client/orders?${query}`, {})
    return data
      .filter(({ orderStatus }) => orderStatus === 'COMPLETED' || orderStatus === 'FAILED')
      .map(({ orderId, orderStatus, updatedTs }) => ({ orderId, status: orderStatus, at: updatedTs }))
  }

  async #call(path, { headers, ...request }) {
    const response = await fetch(this.#account.baseUrl + path, {
      ...request,
      headers: { 'access-token': this.#account.accessToken, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return response.json()
  }
}

module.exports = { Payments }
