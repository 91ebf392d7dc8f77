import { createHmac } from 'node:crypto'
import { createToken } from './token.js'
import { createTransport, Unclear } from './transport.js'

/** The service will not make this order, however often it is asked. */
export class Refused extends Error {
  name = 'Refused'
}

/** The payment order service, as this shop uses it. */
export class PaymentService {
  #settings
  #send
  #token

  constructor(settings) {
    this.#settings = settings
    this.#send = createTransport(settings.callTimeoutMs)
    this.#token = createToken(this.#send, settings)
  }

  /** Makes a checkout order. @returns its token; null if it was there already. @throws Unclear, Refused */
  createCheckout({ requestId, amount, email, note }) {
    const { port } = this.#settings
    return this.#create('checkout', `fiatAmount=${amount}&requestId=${requestId}`, {
      fiatAmount: amount,
      requestId,
      email,
      ...(note !== '' && { userMessage: note }),
      callbackUrl: `http://127.0.0.1:${port}/return`,
    })
  }

  /** Makes a monthly subscription with a free week. @returns as createCheckout */
  createSubscription({ requestId, amount, email }) {
    const signed = `currencyId=usd_us&fiatAmount=${amount}&requestId=${requestId}&interval=MONTHLY&trialPeriodDays=7`
    return this.#create('subscription', signed, {
      fiatAmount: amount,
      requestId,
      email,
      interval: 'MONTHLY',
      trialPeriodDays: '7',
    })
  }

  /** The payments of an order: none, one, or one for each period. @throws Unclear */
  async lookUp(requestId) {
    const { status, body } = await this.#authorized('GET', this.#lookup('orders', requestId))
    if (status !== 200 || !Array.isArray(body?.data)) throw new Unclear(`orders: ${status}`)
    return body.data.filter((record) => typeof record?.orderId === 'string')
  }

  /** Refunds of an order, and the code of the latest failure, which stands beside the list. @throws Unclear */
  async lookUpRefunds(requestId) {
    const { status, body } = await this.#authorized('GET', this.#lookup('fiat-refunds', requestId))
    if (status !== 200 || typeof body !== 'object') throw new Unclear(`fiat-refunds: ${status}`)
    const records = Array.isArray(body?.data) ? body.data : []
    return {
      refunds: records.map(({ refundId, fiatAmount, status }) => ({ refundId, fiatAmount, status })),
      failure: body?.errorReason?.errorCode || null,
    }
  }

  async #create(kind, signed, members) {
    const { baseUrl, clientId, apiSecret } = this.#settings
    const signature = createHmac('sha256', apiSecret).update(signed).digest('base64')
    const url = `${baseUrl}/v1/client/${kind}/create-order`
    const { status, body } = await this.#authorized('POST', url, {
      headers: { signature },
      body: { ...members, currencyId: 'usd_us', clientId },
    })
    if (body?.error?.code === '7001') return null
    if (status !== 200) throw new Refused(`create-order: ${status} ${JSON.stringify(body)}`)
    if (typeof body?.token !== 'string') throw new Unclear('create-order: 200 without a token')
    return body.token
  }

  #lookup(what, requestId) {
    const { baseUrl, clientId } = this.#settings
    return `${baseUrl}/v1/client/${what}?${new URLSearchParams({ requestId, clientId })}`
  }

  /** 401 with a text is about the token, and with an object about the order. */
  async #authorized(method, url, { headers, body } = {}) {
    const attempt = (token) =>
      this.#send(method, url, { headers: { ...headers, 'access-token': token }, body })
    const token = await this.#token.current()
    let answer = await attempt(token)
    if (refusesToken(answer)) {
      const other = await this.#token.replace(token)
      answer = await attempt(other)
      if (refusesToken(answer)) {
        this.#token.giveUp(other)
        throw new Unclear('a new token was refused')
      }
    }
    this.#token.works()
    return answer
  }
}

function refusesToken({ status, body }) {
  return status === 401 && typeof body?.error === 'string'
}
