import { createHash, createHmac } from 'node:crypto'

/** The demo client, as `serve` makes it. */
const clientId = 'demo-client'
const accessToken = 'demo-token'
const apiSecret = 'demo-secret'

/** The kinds of request that are measured. */
export type RequestKind = 'hello' | 'echo' | 'checked' | 'verified' | 'stored' | 'create' | 'lookup'

/** The n-th request of a kind as the bytes that go over the wire, signature included: while the clock runs, the
 *  load generator only writes them. */
export const requestBytes: Readonly<Record<RequestKind, (n: number) => Buffer>> = {
  hello: () => get('/hello'),
  lookup: (n) => get(`/v1/client/orders?requestId=${requestId(n)}&clientId=${clientId}`),
  echo: (n) => post('/echo', order(n)),
  checked: (n) => post('/checked', order(n)),
  verified: (n) => post('/verified', order(n)),
  stored: (n) => post('/stored', order(n)),
  create: (n) => post('/v1/client/checkout/create-order', order(n)),
}

function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccess-token: ${accessToken}\r\n\r\n`)
}

function post(path: string, { body, signature }: { body: string; signature: string }): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccess-token: ${accessToken}\r\nsignature: ${signature}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** A create call with every field of the interface document. */
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

/** The same n gives the same id; neighbours lie far apart, as with the UUIDs that clients choose. */
function requestId(n: number): string {
  const hex = createHash('sha256').update(String(n)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
