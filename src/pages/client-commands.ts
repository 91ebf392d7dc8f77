import { shellQuoted } from '../domain/text/shell.ts'
import { type CheckoutForm, checkoutString, sign } from '../domain/webhook/signature.ts'

/** The data for a signed `curl` create call. */
export interface CurlFacts {
  /** The base URL of the emulator. */
  readonly url: string
  readonly client: { readonly clientId: string; readonly apiSecret: string; readonly accessToken: string }
  readonly requestId: string
  /** The signed one of the two documented forms (N19). */
  readonly form: CheckoutForm
}

/** A command that creates a checkout order when pasted into a POSIX shell, in parts: joined by spaces it is one
 *  line, joined by ` \` and newlines it is easier to read. */
export function signedCurl({ url, client, requestId, form }: CurlFacts): string[] {
  const members = { currencyId: 'usd_us', fiatAmount: '10.00', requestId }
  const { clientId, apiSecret, accessToken } = client
  return createCurl({
    url,
    kind: 'checkout',
    accessToken,
    signature: sign(checkoutString(members, form), apiSecret),
    body: asciiJson({ ...members, email: 'buyer@example.com', clientId }),
  })
}

/** A command that sends a create call, in parts like `signedCurl`. */
export function createCurl(call: {
  readonly url: string
  readonly kind: 'checkout' | 'subscription'
  readonly accessToken: string
  readonly signature: string
  readonly body: string
}): string[] {
  return [
    `curl -sS -w '\\n' ${shellQuoted(`${call.url}/v1/client/${call.kind}/create-order`)}`,
    `-H ${shellQuoted(`access-token: ${call.accessToken}`)}`,
    `-H 'Content-Type: application/json'`,
    `-H ${shellQuoted(`signature: ${call.signature}`)}`,
    `-d ${shellQuoted(call.body)}`,
  ]
}

/** JSON in ASCII, which no terminal and no shell's locale changes. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The credentials of a client, as an application needs them. */
interface ClientCredentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly accessToken: string
  readonly webhookSecret: string
}

/** The environment variables that tell an application its base URL and credentials.
 *  @param url the emulator's base URL */
export function clientVariables(
  url: string,
  { clientId, apiSecret, accessToken, webhookSecret }: ClientCredentials,
) {
  return {
    PAYMENT_ORDER_BASE_URL: url,
    PAYMENT_ORDER_CLIENT_ID: clientId,
    PAYMENT_ORDER_API_SECRET: apiSecret,
    PAYMENT_ORDER_ACCESS_TOKEN: accessToken,
    PAYMENT_ORDER_WEBHOOK_SECRET: webhookSecret,
  }
}
