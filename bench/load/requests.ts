import { createHash, createHmac } from 'node:crypto'

/** The demo client, as `serve` makes it. */
const clientId = 'demo-client'
const accessToken = 'demo-token'
const apiSecret = 'demo-secret'

/** How the requests of a load look. */
export interface RequestShape {
  /** `order`: a POST of a create call's body, with token and signature. `nothing`: a GET with the token. */
  readonly sends: 'order' | 'nothing'
  /** `{requestId}` stands for the id of the order with the request's number. */
  readonly path: string
}

export const create: RequestShape = { sends: 'order', path: '/v1/client/checkout/create-order' }
export const lookup: RequestShape = {
  sends: 'nothing',
  path: `/v1/client/orders?requestId={requestId}&clientId=${clientId}`,
}

/** The requests to the hello-world server. */
export const hello: RequestShape = { sends: 'nothing', path: '/hello' }
export const echo: RequestShape = { sends: 'order', path: '/echo' }

/** A request as any HTTP client takes it. */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a GET. */
  readonly body: string
}

/** The n-th request of a shape. */
export function callOf(shape: RequestShape, n: number): Call {
  const path = shape.path.replace('{requestId}', requestId(n))
  const headers = { 'access-token': accessToken }
  if (shape.sends === 'nothing') return { method: 'GET', path, headers, body: '' }
  const { body, signature } = order(n)
  return {
    ...{ method: 'POST', path, body },
    headers: { ...headers, signature, 'content-type': 'application/json' },
  }
}

/** The n-th request of a shape as bytes: while the clock runs, the load only writes them. */
export function requestBytes(shape: RequestShape, n: number): Buffer {
  const { method, path, headers, body } = callOf(shape, n)
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}

/** The body of a create call with every field of the API specification, and its signature. */
function order(n: number): { body: string; signature: string } {
  const signed = { fiatAmount: '149.90', requestId: requestId(n) }
  const stringToSign = `fiatAmount=${signed.fiatAmount}&requestId=${signed.requestId}`
  const body = JSON.stringify({
    ...signed,
    currencyId: 'BRL',
    email: 'ana@example.com',
    clientId,
    paymentMethodId: 'PIX',
    userId: '6f1c1d3e-7c3a-4b8e-9d2f-5a4b3c2d1e0f',
    userMessage: 'Gold pack',
    firstName: 'Ana',
    lastName: 'Souza',
    phoneNumber: '+5511987654321',
    mode: 'returnUrl',
    targetApp: 'wallet',
    deviceContext: { deviceOS: 'ANDROID' },
    pixKey: 'ana@example.com',
    intlBankAccount: 'BR97003600',
    bankAccount: '12345-6',
    docType: 'CPF',
    docId: '12345678909',
    callbackUrl: 'https://shop.example/done',
    lang: 'pt',
    requestDescription: 'Order 1',
    billingData: { city: 'Recife', country: 'BR', postalCode: '50030' },
    metadata: { cart: 7 },
  })
  return { body, signature: createHmac('sha256', apiSecret).update(stringToSign).digest('base64') }
}

/** Derives a UUID from n. Consecutive ids differ from the first digit on, like UUIDs of real clients. */
function requestId(n: number): string {
  const hex = createHash('sha256').update(String(n)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
