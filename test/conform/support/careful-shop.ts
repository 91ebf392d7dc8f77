import { sign } from '../../../src/domain/webhook/signature.ts'
import { ModelShop, type Reply } from './model-shop.ts'

/** A model shop that requests access tokens, repeats failed create calls, looks up open orders and refunds on
 *  request, and sells subscriptions. */
export class CarefulShop extends ModelShop {
  readonly refundFailures = new Set<string>()
  #token: Promise<string> | null = null
  #notBefore = 0

  override get config() {
    return {
      ...super.config,
      reconcile: () => this.reconcile(),
      startSubscription: () => this.subscribe(),
    }
  }

  async subscribe(): Promise<string | null> {
    const requestId = `${this.client.clientId}-subscription-${this.purchases.size}`
    this.purchases.set(requestId, { state: 'waiting', parcels: 0, shipped: new Set() })
    const order = { currencyId: 'usd_us', fiatAmount: '10.00', requestId, interval: 'MONTHLY' }
    const signed = Object.entries(order).map(([name, value]) => `${name}=${value}`)
    await this.call(
      '/v1/client/subscription/create-order',
      { ...order, email: 'a@example.com', clientId: this.client.clientId, trialPeriodDays: '7' },
      { signature: sign(`${signed.join('&')}&trialPeriodDays=7`, this.client.apiSecret) },
    )
    return requestId
  }

  /** Looks after everything that may have changed without a webhook. */
  async reconcile(): Promise<void> {
    for (const requestId of this.purchases.keys()) {
      await this.settle(requestId)
      await this.refunds(requestId)
    }
  }

  async refunds(requestId: string): Promise<void> {
    if (this.purchases.get(requestId)?.state !== 'paid') return
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    const { status, text } = await this.call(`/v1/client/fiat-refunds?${query}`)
    if (status !== 200) return
    const { data, errorReason } = JSON.parse(text)
    if (errorReason?.errorCode) this.refundFailures.add(requestId)
    for (const { fiatAmount } of data) this.refunded(requestId, Number(fiatAmount))
  }

  /** Learns of a refund, each time it looks. */
  refunded(_requestId: string, _amount: number): void {}

  override async call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
    if (Date.now() < this.#notBefore) return { status: 503, text: '' }
    const first = await this.attempt(path, await this.token(), { body, headers })
    if (!this.refusesToken(first)) return this.heeded(first)
    this.#token = null
    const second = await this.attempt(path, await this.token(), { body, headers })
    if (this.refusesToken(second)) this.#notBefore = Date.now() + 50
    return this.heeded(second)
  }

  attempt(
    path: string,
    token: string,
    { body, headers }: { body: object | undefined; headers: Record<string, string> },
  ): Promise<Reply> {
    return super.call(path, body, { 'access-token': token, ...headers })
  }

  /** Keeps still for as long as the service asks for. */
  heeded(reply: Reply): Reply {
    if (reply.status === 429) this.#notBefore = Date.now() + 2_000
    return reply
  }

  refusesToken({ status, text }: Reply): boolean {
    return status === 401 && typeof JSON.parse(text).error === 'string'
  }

  token(): Promise<string> {
    this.#token ??= this.freshToken()
    return this.#token
  }

  async freshToken(): Promise<string> {
    const { clientId, apiSecret } = this.client
    const { text } = await super.call('/_emulator/access-token', { clientId, apiSecret })
    return JSON.parse(text).accessToken
  }
}
