import {
  type CheckoutForm,
  checkoutString,
  sign,
  subscriptionString,
} from '../../../src/domain/webhook/signature.ts'
import type { TestClient } from '../../../src/index.ts'
import type { Recorder, Reply } from './recorder.ts'

/** How an application asks for its tokens. */
export interface TokenForm {
  readonly path: string
  readonly form: 'json' | 'form' | 'basic'
  readonly idField: string
  readonly secretField: string
}

interface Held {
  readonly token: string
  readonly until: number
}

export interface Order {
  readonly requestId: string
  readonly fiatAmount: string
  readonly currencyId: string
  readonly [field: string]: unknown
}

interface Signing {
  /** The signed text; the right one if left out. */
  readonly text?: string
  readonly form?: CheckoutForm
  readonly path?: string
}

/** An application of a merchant account that does everything as the service's documents say, and can make mistakes. */
export class Application {
  readonly client: TestClient
  readonly #recorder: Recorder
  readonly #tokens: TokenForm
  readonly #now: () => Promise<number>
  readonly #wait: (ms: number) => Promise<void>
  /** Which of the two texts it signs. */
  readonly form: () => CheckoutForm
  /** Whether time passes from one call to the next; it must not while the clock runs by itself. */
  isPaced = true
  #held: Held | null = null

  constructor(
    client: TestClient,
    around: {
      readonly recorder: Recorder
      readonly tokens: TokenForm
      readonly now: () => Promise<number>
      readonly wait: (ms: number) => Promise<void>
      readonly form: () => CheckoutForm
    },
  ) {
    this.client = client
    this.#recorder = around.recorder
    this.#tokens = around.tokens
    this.#now = around.now
    this.#wait = around.wait
    this.form = around.form
  }

  /** A valid token: the present one, or another shortly before its end. */
  async token(): Promise<string> {
    if (this.#held === null || this.#held.until <= (await this.#now())) return await this.newToken()
    return this.#held.token
  }

  async newToken(): Promise<string> {
    const reply = await this.askForToken()
    const text = tokenIn(reply.json)
    const seconds = Number(/"(?:expires_?in|lifetimeSeconds|validFor)":(\d+)/i.exec(reply.text)?.[1] ?? 600)
    if (text === null) throw new Error(`no token in the answer: ${reply.status} ${reply.text}`)
    this.#held = { token: text, until: (await this.#now()) + seconds * 900 }
    return text
  }

  /** Uses a token until the service ends it, however old it is. */
  keep(token: string): void {
    this.#held = { token, until: Infinity }
  }

  forget(): void {
    this.#held = null
  }

  async askForToken(
    how: { readonly form?: TokenForm['form']; readonly secret?: string } = {},
  ): Promise<Reply> {
    const { path, idField, secretField } = this.#tokens
    const { form = this.#tokens.form, secret = this.client.apiSecret } = how
    const fields = { [idField]: this.client.clientId, [secretField]: secret }
    const basic = Buffer.from(`${this.client.clientId}:${secret}`).toString('base64')
    const sent = {
      json: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) },
      form: {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ grant_type: 'client_credentials', ...fields })),
      },
      basic: { headers: { authorization: `Basic ${basic}` }, body: undefined },
    }
    return await this.#patient(() => this.#recorder.send({ method: 'POST', path, ...sent[form] }))
  }

  async create(
    order: Order,
    { text, form = this.form(), path = checkoutPath }: Signing = {},
  ): Promise<Reply> {
    const signed = text ?? checkoutString(order, form)
    return await this.#post(path, { ...order, clientId: this.client.clientId }, signed)
  }

  async subscribe(order: Order & { readonly interval: string }): Promise<Reply> {
    return await this.#post(
      subscriptionPath,
      { ...order, clientId: this.client.clientId },
      subscriptionString(order),
    )
  }

  async lookUp(kind: LookupKind, requestId: string, token?: string): Promise<Reply> {
    const query = new URLSearchParams({ requestId, clientId: this.client.clientId })
    return await this.raw('GET', `/v1/client/${kind}?${query}`, { token })
  }

  /** All three kinds of lookups. */
  async lookUpAll(requestId: string): Promise<void> {
    for (const kind of lookupKinds) await this.lookUp(kind, requestId)
  }

  async setUrl(url: string, path = '/v1/client/webhook-url'): Promise<Reply> {
    const headers = { 'client-id': this.client.clientId }
    return await this.raw('POST', path, { body: JSON.stringify({ webhookUrl: url }), headers })
  }

  /** Any call with the access token; without patience it takes a 429 as it is. */
  async raw(
    method: string,
    path: string,
    {
      body,
      headers = {},
      token,
      isPatient = true,
    }: {
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly token?: string | undefined
      readonly isPatient?: boolean
    } = {},
  ): Promise<Reply> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const send = async () =>
      await this.#recorder.send({
        ...{ method, path, body },
        headers: {
          accept: 'application/json',
          ...type,
          'access-token': token ?? (await this.token()),
          ...headers,
        },
      })
    return isPatient ? await this.#patient(send) : await this.#paced(send)
  }

  async #post(path: string, body: object, signed: string): Promise<Reply> {
    const signature = sign(signed, this.client.apiSecret)
    return await this.raw('POST', path, { body: JSON.stringify(body), headers: { signature } })
  }

  /** A call takes time, on a clock that stands still too. */
  async #paced(send: () => Promise<Reply>): Promise<Reply> {
    const reply = await send()
    if (this.isPaced) await this.#wait(callMs)
    return reply
  }

  /** Waits as long as a limit asks for, and tries again. */
  async #patient(send: () => Promise<Reply>): Promise<Reply> {
    const reply = await this.#paced(send)
    if (reply.status !== 429) return reply
    await this.#wait(Number(reply.headers['retry-after'] ?? 60) * 1000)
    return await this.#patient(send)
  }
}

const callMs = 200

export const checkoutPath = '/v1/client/checkout/create-order'
const subscriptionPath = '/v1/client/subscription/create-order'
const lookupKinds = ['orders', 'crypto-orders', 'fiat-refunds'] as const
export type LookupKind = (typeof lookupKinds)[number]

/** The longest text in an answer: nothing else in it is as long as a token. */
function tokenIn(value: unknown): string | null {
  const texts = textsIn(value).filter((text) => /^[\w.-]{16,}$/.test(text))
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? null
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
