import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { AccessTokens } from './access-tokens.ts'
import { type Answer, type Call, Http, NoClearAnswer } from './http.ts'
import type { Order } from './orders.ts'
import type { Settings } from './settings.ts'

// Services grow: what is not needed is not looked at, and a status is any text.
const created = z.looseObject({
  token: z.string().nullish(),
  offerInfoData: z.looseObject({ expiryTs: z.string().nullish() }).nullish(),
})
const charges = z.looseObject({
  data: z.array(z.looseObject({ orderId: z.string(), orderStatus: z.string() })),
})
const refunds = z.looseObject({
  data: z
    .array(
      z.looseObject({ refundId: z.string(), fiatAmount: z.string().nullish(), status: z.string().nullish() }),
    )
    .nullish(),
  errorReason: z.looseObject({ errorCode: z.string().nullish() }).nullish(),
})
const alreadyExists = z.looseObject({ error: z.looseObject({ code: z.literal('7001') }) })
const tokenRefused = z.looseObject({ error: z.string() })

/** A payment as the service has it: one for a checkout, one for each period of a subscription. */
export type Charge = z.output<typeof charges>['data'][number]

/** The parts of a create answer that no lookup returns: the token for the payment page, and the end of the time for the
 *  payment, epoch milliseconds. */
export interface Opened {
  readonly token: string | null
  readonly expiresAt: number | null
}

/** The refunds of an order, and the code of the latest failure. */
export interface Refunds {
  readonly refunds: readonly { refundId: string; fiatAmount: string; status: string }[]
  readonly failure: string | null
}

/** The service will never make this order. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** The payment order service, as this shop uses it. Every call throws NoClearAnswer if it should be made again. */
export class PaymentService {
  readonly #settings: Settings
  readonly #http: Http
  readonly #tokens: AccessTokens

  constructor(settings: Settings) {
    this.#settings = settings
    this.#http = new Http(settings.callTimeoutMs)
    this.#tokens = new AccessTokens(this.#http, settings)
  }

  /** How long the service wants to hear nothing, milliseconds. */
  get pauseMs(): number {
    return this.#http.pauseMs
  }

  /** Makes the order; a requestId has one at most, however often this is called.
   *  @returns nulls if the order existed already
   *  @throws Refused */
  async create(order: Order): Promise<Opened> {
    const answer = await this.#call(
      order.kind === 'subscription' ? this.#subscription(order) : this.#checkout(order),
    )
    if (alreadyExists.safeParse(answer.body).success) return { token: null, expiresAt: null }
    if (answer.status !== 200) throw new Refused(`Status ${answer.status}: ${JSON.stringify(answer.body)}`)
    const { token, offerInfoData } = checked(created, answer)
    // Date.parse respects the UTC offset.
    const expiresAt = Date.parse(offerInfoData?.expiryTs ?? '')
    return { token: token ?? null, expiresAt: Number.isNaN(expiresAt) ? null : expiresAt }
  }

  /** What the service knows of an order: nothing, one payment, or one for each period. */
  async charges(requestId: string): Promise<Charge[]> {
    return checked(charges, await this.#call(this.#lookup('orders', requestId))).data
  }

  async refunds(requestId: string): Promise<Refunds> {
    const found = checked(refunds, await this.#call(this.#lookup('fiat-refunds', requestId)))
    return {
      refunds: (found.data ?? []).map(({ refundId, fiatAmount, status }) => ({
        refundId,
        fiatAmount: fiatAmount ?? '',
        status: status ?? '',
      })),
      failure: found.errorReason?.errorCode || null,
    }
  }

  #checkout({ requestId, amount, email, note }: Order): Call {
    const { port } = this.#settings
    return this.#creation('checkout', `fiatAmount=${amount}&requestId=${requestId}`, {
      currencyId: 'usd_us',
      fiatAmount: amount,
      email,
      requestId,
      ...(note && { userMessage: note }),
      callbackUrl: `http://127.0.0.1:${port}/return`,
    })
  }

  #subscription({ requestId, amount, email }: Order): Call {
    const terms = { interval: 'MONTHLY', trialPeriodDays: '7' }
    const signed = { currencyId: 'usd_us', fiatAmount: amount, requestId, ...terms }
    const text = Object.entries(signed).map(([name, value]) => `${name}=${value}`)
    return this.#creation('subscription', text.join('&'), { ...signed, email })
  }

  #creation(kind: Order['kind'], signed: string, members: object): Call {
    const { baseUrl, clientId, apiSecret } = this.#settings
    return {
      method: 'POST',
      url: `${baseUrl}/v1/client/${kind}/create-order`,
      headers: { signature: createHmac('sha256', apiSecret).update(signed).digest('base64') },
      body: { ...members, clientId },
    }
  }

  #lookup(what: 'orders' | 'fiat-refunds', requestId: string): Call {
    const { baseUrl, clientId } = this.#settings
    const query = new URLSearchParams({ requestId, clientId })
    return { method: 'GET', url: `${baseUrl}/v1/client/${what}?${query}` }
  }

  /** A 401 whose error is a text is about the token: the call is repeated once with another. */
  async #call(call: Call): Promise<Answer> {
    const token = await this.#tokens.current()
    const answer = await this.#authorized(call, token)
    if (!isTokenRefused(answer)) return this.#accepted(answer)
    const other = await this.#tokens.instead(token)
    const again = await this.#authorized(call, other)
    if (!isTokenRefused(again)) return this.#accepted(again)
    this.#tokens.givesUp(other)
    throw new NoClearAnswer('A new access token was refused')
  }

  #authorized(call: Call, token: string): Promise<Answer> {
    return this.#http.send({ ...call, headers: { ...call.headers, 'access-token': token } })
  }

  #accepted(answer: Answer): Answer {
    this.#tokens.works()
    return answer
  }
}

function isTokenRefused({ status, body }: Answer): boolean {
  return status === 401 && tokenRefused.safeParse(body).success
}

/** @throws NoClearAnswer if it is not what was asked for, like the page of a proxy */
function checked<T>(shape: z.ZodType<T>, { status, body }: Answer): T {
  const read = shape.safeParse(body)
  if (status === 200 && read.success) return read.data
  throw new NoClearAnswer(`Status ${status} with an answer that cannot be read`)
}
